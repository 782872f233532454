import Glibc

/// A system call on an offered file has failed.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
    /// The `errno` of the call.
    let code: Int32

    /// The failure of the last call.
    static var last: FileFailure { FileFailure(code: errno) }

    /// A file has fewer bytes than it had.
    package static var ended: FileFailure { FileFailure(code: EIO) }

    var isLackOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    package var description: String { String(cString: strerror(code)) }
}
