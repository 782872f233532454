import Foundation
import TestSupport

/// The library `Tests/Disk/calls.c`, which records and fails a node's calls on its files.
///
/// It works on a file system in memory where there is one: a sync costs nothing, and what a power
/// failure would leave follows from the record.
struct DiskShim: Sendable {
    private let library: String

    /// Compiles the library into a directory.
    init(in directory: TestDirectory) async throws {
        library = directory.path("calls.so")
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Disk/calls.c").standardized.path
        let compiler = try Child(
            ["/usr/bin/env", "clang", "-O1", "-shared", "-fPIC", "-o", library, source],
            environment: ProcessInfo.processInfo.environment,
            output: directory.path("compiler"),
            errors: directory.path("compiler")
        )
        guard await compiler.end() == 0 else {
            throw Broken(String(decoding: try directory.contents("compiler"), as: UTF8.self))
        }
    }

    /// The environment of a node with this data directory.
    func environment(data: String, log: String, fault: DiskFault? = nil) -> [String: String] {
        var variables = ["LD_PRELOAD": library, "DISK_DIRECTORY": data, "DISK_LOG": log]
        variables["DISK_FAULT"] = fault?.words
        return variables
    }

    /// Where data directories are made.
    static let parent: URL =
        access("/dev/shm", W_OK) == 0
        ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
}

/// A broken promise, or a test that could not be made.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A directory on the file system of `DiskShim.parent`, which is removed with its last reference.
final class DiskFolder: Sendable {
    let url: URL

    init() throws {
        url = DiskShim.parent.appending(path: "parley-disk-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        // What stays behind is in a temporary directory.
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }
}
