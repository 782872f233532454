import Glibc

/// The owner of a file descriptor; the last release closes the descriptor.
///
/// Every source on the descriptor keeps a reference until its cancel handler has run. So
/// libdispatch never watches a number that the kernel has reused for another file.
package final class Descriptor: Sendable {
    /// The file descriptor for system calls; valid as long as this object lives.
    package let number: Int32

    /// Takes over `number`, which must be open and must have no other owner.
    package init(adopting number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Why fewer than `left` descriptors would be left after another one; nil if there are more.
    ///
    /// The kernel assigns the lowest free number, so opening a file shows roughly how many
    /// descriptors are open.
    package static func shortage(leaving left: Int) -> Int32? {
        let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard lowest >= 0 else { return errno }
        close(lowest)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return rlim_t(lowest) + rlim_t(left) < limit.rlim_cur ? nil : EMFILE
    }
}
