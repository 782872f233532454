package import Foundation

/// A temporary directory that is removed with the last reference to it.
package final class TestDirectory: Sendable {
    package let url: URL

    /// Makes the directory, which is empty.
    package init() throws {
        let pattern = FileManager.default.temporaryDirectory.appending(path: "parley-test-XXXXXX")
        var path = Array(pattern.path.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let made = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        url = URL(filePath: String(decoding: made, as: UTF8.self))
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
