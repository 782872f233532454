package import Foundation
import ParleyKeys
import ParleyStore

/// Why a data directory could not be backed up or restored, checked or changed.
package enum CareError: Error, Sendable {
    /// A node has never been at home in the directory.
    case nothingThere(URL)
    /// A file of that name exists.
    case exists(URL)
    /// The name belongs to a link, a directory, a device or the like.
    case notReplaceable(URL)
    /// The name is in the data directory, among the files of the node.
    case amongFiles(of: URL)
    /// A backup of `bytes` bytes would leave less than `least` bytes free on the node's disk.
    case scarce(URL, bytes: Int, least: Int)
    case notABackup(URL)
    /// A newer version of Parley made the backup.
    case newer(URL)
    /// The backup is damaged: `detail` tells how, and `isReadable` whether the rest can be used.
    case damaged(URL, detail: String, isReadable: Bool)
    /// A file cannot be read or written; `reason` is the text of the `errno`.
    case file(path: String, reason: String)
    /// A restore failed, and the earlier files could not be moved back from the folder `earlier`.
    case halfway(path: String, reason: String, earlier: URL)
    case directory(NodeError)

    init(_ error: StoreError) {
        self =
            switch error {
            // The text for a node says that it goes on by itself.
            case .full(let path): .file(path: path, reason: String(cString: strerror(ENOSPC)))
            default: .directory(NodeError(error))
            }
    }

    /// The error of the key of `directory`.
    init(_ error: DeviceKeyError, in directory: URL) {
        self = .directory(
            .dataDirectoryUnusable(
                path: directory.path,
                reason: error.message,
                hint: error.hint
            )
        )
    }

    /// The error of the last system call, which was about `path`.
    static func system(_ path: String) -> CareError {
        .file(path: path, reason: String(cString: strerror(errno)))
    }
}
