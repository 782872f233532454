import Foundation

/// A directory for the files of the apps of a harness, which ends with the harness.
///
/// The directory is made when an app asks for its folder.
final class HarnessFiles: Sendable {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "parley-harness-\(UUID().uuidString)")

    deinit {
        // A test that asked for no folder has left no directory.
        try? FileManager.default.removeItem(at: directory)
    }
}
