import Foundation
import ParleyStore

/// A temporary directory that is removed with its test.
final class Scratch: Sendable {
    let path: String

    init() throws {
        let name = "parley-store-\(UUID().uuidString.prefix(13))"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        // A directory that stays behind does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The data directory of most tests, which does not exist at first.
    var data: String { path + "/data" }
    var database: String { data + "/parley.sqlite" }

    /// Opens the store in `data`; the store of an earlier call must have been closed.
    func open() throws -> OpenStore {
        let directory = try DataDirectory(path: data)
        do {
            return OpenStore(directory: directory, store: try SQLiteStore(in: directory))
        } catch {
            directory.release()
            throw error
        }
    }

    func mode(of path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

/// A store with the directory that it is in.
struct OpenStore {
    let directory: DataDirectory
    let store: SQLiteStore

    func close() {
        store.close()
        directory.release()
    }
}
