package import Foundation

/// A temporary directory that is removed with the last reference to it.
package final class TestDirectory: Sendable {
    package let url: URL

    /// Makes the directory, which is empty.
    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "parley-test-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Files that are left behind are in the temporary directory.
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it, which need not be there.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Reads a file.
    package func contents(_ name: String) throws -> Data {
        try Data(contentsOf: url.appending(path: name))
    }

    /// Writes a file and returns its path.
    package func write(_ name: String, _ contents: Data) throws -> String {
        try contents.write(to: url.appending(path: name))
        return path(name)
    }
}
