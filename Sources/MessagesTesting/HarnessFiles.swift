import Foundation

/// A directory for the files of the apps of one harness, which ends with the harness.
///
/// It is made by the first app that asks for its folder.
final class HarnessFiles: Sendable {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "parley-harness-\(UUID().uuidString)")

    deinit {
        // A test that asked for no folder has left no directory.
        try? FileManager.default.removeItem(at: directory)
    }
}
