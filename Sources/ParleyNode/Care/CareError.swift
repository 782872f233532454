package import Foundation
import ParleyStore

/// Why a data directory could not be backed up or restored, checked or changed.
package enum CareError: Error, Sendable {
    /// A node has never been at home in the directory.
    case nothingThere(URL)
    /// There is a file of that name already.
    case exists(URL)
    case notABackup(URL)
    /// A newer version of Parley made the backup.
    case newer(URL)
    /// The backup is damaged; `detail` says what, and `isReadable` that the rest of it can be used.
    case damaged(URL, detail: String, isReadable: Bool)
    /// A file cannot be read or written; `reason` is the text of the `errno`.
    case file(path: String, reason: String)
    case directory(NodeError)

    init(_ error: StoreError) { self = .directory(NodeError(error)) }

    /// The error of the last system call, which was about `path`.
    static func system(_ path: String) -> CareError {
        .file(path: path, reason: String(cString: strerror(errno)))
    }
}
