package import Foundation

/// The Unix socket of a node's control API.
package enum ControlSocket {
    /// The longest path that a Unix socket may have, in bytes.
    private static let pathBytesMax = 104

    /// Where the node that holds the data directory listens for commands.
    ///
    /// That is `control.sock` in the directory, or, where its path would be too long, what the
    /// file `control.path` there says.
    package static func path(inDataDirectory directory: URL) -> String {
        let path = directory.appending(path: "control.sock").path
        guard path.utf8.count > pathBytesMax else { return path }
        let note = directory.appending(path: "control.path")
        // Without the note there is no node; the caller then finds no socket at the long path.
        guard let text = try? String(contentsOf: note, encoding: .utf8) else { return path }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Prepares the path to listen on; the caller holds the data directory.
    static func prepare(inDataDirectory directory: URL) throws -> String {
        var path = directory.appending(path: "control.sock").path
        if path.utf8.count > pathBytesMax {
            let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
            path = "\(runtime)/parley-\(UUID().uuidString.prefix(13)).sock"
            try Data(path.utf8).write(
                to: directory.appending(path: "control.path"),
                options: .atomic
            )
        }
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
        return path
    }
}
