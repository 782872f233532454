import Foundation
import Testing

/// A temporary directory that is removed with the last reference to it.
final class TestDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "parley-command-tests-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Files that are left behind are in the temporary directory.
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func contents(_ name: String) throws -> Data {
        try Data(contentsOf: url.appending(path: name))
    }

    /// Writes a file and returns its path.
    func write(_ name: String, _ contents: Data) throws -> String {
        try contents.write(to: url.appending(path: name))
        return path(name)
    }
}
