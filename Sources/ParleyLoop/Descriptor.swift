import Glibc

/// The owner of one file descriptor, which closes it when the last reference is released.
///
/// Every source on the descriptor keeps a reference until its cancel handler has run. So
/// libdispatch never watches a number that the kernel has reused for another file, however many
/// sources share the descriptor.
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
}
