import Glibc

/// The owner of one file descriptor: closes it when the last holder lets go.
///
/// Every source on the descriptor holds it until its cancel handler has run, so libdispatch never
/// watches a number that the kernel has given to somebody else, however many sources share it.
package final class Descriptor: Sendable {
    /// What system calls take; valid as long as this object lives.
    package let number: Int32

    /// Takes over `number`, which must be open and must have no other owner.
    package init(adopting number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
