package import Foundation

/// The Unix socket of a node's control API.
package enum ControlSocket {
    /// The greatest length of the path of a Unix socket, in bytes.
    package static let pathBytesMax = 104
    /// The name of the socket in the data directory.
    package static let socketName = "control.sock"
    /// The name of the file that contains the path of the socket, if the path in the data directory
    /// is too long.
    package static let pathFileName = "control.path"

    /// The path of the socket on which the node of the data directory listens for commands.
    ///
    /// It is `socketName` in the directory or, if that path is too long, the content of the file
    /// `pathFileName`.
    package static func path(inDataDirectory directory: URL) -> String {
        let path = directory.appending(path: socketName).path
        guard path.utf8.count > pathBytesMax else { return path }
        let file = directory.appending(path: pathFileName)
        // If the file does not exist, no node is running, and the caller finds no socket at the
        // path.
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return path }
        let socket = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return hasSameOwner(URL(filePath: socket).deletingLastPathComponent(), directory)
            ? socket : path
    }

    /// Whether one user owns both directories: the first lies where everybody may make directories,
    /// and once it is gone, anybody could take the name and wait for secrets.
    private static func hasSameOwner(_ one: URL, _ other: URL) -> Bool {
        var (first, second) = (stat(), stat())
        return lstat(one.path, &first) == 0 && stat(other.path, &second) == 0
            && first.st_uid == second.st_uid
    }
}
