package import Foundation
import Glibc
import ParleyAPI

extension ControlSocket {
    /// Returns the path to listen on, without an old socket; the caller must have locked the data
    /// directory.
    ///
    /// Only this user may enter the directory of the path, so nobody else can connect, whatever the
    /// socket's mode.
    ///
    /// - Throws: a `Problem` if another file has the path.
    package static func prepare(inDataDirectory directory: URL) throws -> String {
        let path = directory.appending(path: socketName).path
        guard path.utf8.count > pathBytesMax else {
            guard unlink(path) == 0 || errno == ENOENT else { throw cannotListen(at: path, errno) }
            return path
        }
        removeFolder(ofSocket: Self.path(inDataDirectory: directory), of: directory)
        let folder = try makeFolder(of: directory)
        let other = folder.appending(path: socketName).path
        let file = directory.appending(path: pathFileName)
        do {
            try Data(other.utf8).write(to: file, options: .atomic)
        } catch {
            removeFolder(ofSocket: other, of: directory)
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
            throw cannotListen(at: file.path, Int32((cause as NSError?)?.code ?? Int(EIO)))
        }
        return other
    }

    private static func cannotListen(at path: String, _ code: Int32) -> Problem {
        Problem(
            .dataDirectoryUnusable,
            "\(path) cannot be replaced: \(String(cString: strerror(code))).",
            hint: "It belongs to the socket for commands. Move it away and start again."
        )
    }

    /// The file in the folder of a socket that names the data directory.
    private static let ownerFileName = "owner"

    /// Removes the folder that was made for the socket of this data directory, if any.
    ///
    /// A copy of a data directory names the socket of the original, which may be in use, so the
    /// folder must name this directory.
    package static func removeFolder(ofSocket path: String, of directory: URL) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let owner = folder.appending(path: ownerFileName)
        guard (try? String(contentsOf: owner, encoding: .utf8)) == directory.path else { return }
        for name in [socketName, ownerFileName] { unlink(folder.appending(path: name).path) }
        rmdir(folder.path)
    }

    /// A new folder with a short path, like data directories with the mode 0700.
    private static func makeFolder(of directory: URL) throws -> URL {
        let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
        let folder = URL(fileURLWithPath: runtime)
            .appending(path: "parley-\(UUID().uuidString.prefix(13))")
        guard mkdir(folder.path, 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Problem(
                .dataDirectoryUnusable,
                "The folder \(folder.path) for the control socket cannot be made: \(reason).",
                hint: "XDG_RUNTIME_DIR names the folder around it."
            )
        }
        let owner = folder.appending(path: ownerFileName)
        try Data(directory.path.utf8).write(to: owner)
        return folder
    }
}
