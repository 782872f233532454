import Foundation
import ParleyAPI

extension ControlSocket {
    /// Returns the path to listen on, without an old socket; the caller must have locked the data
    /// directory.
    static func prepare(inDataDirectory directory: URL) throws -> String {
        var path = directory.appending(path: socketName).path
        if path.utf8.count > pathBytesMax {
            let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
            path = "\(runtime)/parley-\(UUID().uuidString.prefix(13)).sock"
            try Data(path.utf8).write(
                to: directory.appending(path: pathFileName),
                options: .atomic
            )
        }
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
        return path
    }
}
