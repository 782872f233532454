package import Foundation

/// The Unix socket of a node's control API.
package enum ControlSocket {
    /// The longest path that a Unix socket may have, in bytes.
    package static let pathBytesMax = 104
    /// The socket in the data directory.
    package static let socketName = "control.sock"
    /// The file that says where the socket is, if its path in the data directory is too long.
    package static let noteName = "control.path"

    /// Where the node that holds the data directory listens for commands.
    ///
    /// That is `socketName` in the directory, or, where its path would be too long, what the file
    /// `noteName` there says.
    package static func path(inDataDirectory directory: URL) -> String {
        let path = directory.appending(path: socketName).path
        guard path.utf8.count > pathBytesMax else { return path }
        let note = directory.appending(path: noteName)
        // Without the note there is no node; the caller then finds no socket at the long path.
        guard let text = try? String(contentsOf: note, encoding: .utf8) else { return path }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
