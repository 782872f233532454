import Dispatch
import Foundation
import ParleyCore
import ParleyKeys

/// The file `person.key`, with the common secret of the devices of one person.
///
/// Files are written in order, off the node's queue.
final class PersonFile: Sendable {
    /// Nil for a node that keeps everything in memory.
    private let file: KeptFile?
    private let queue = DispatchQueue(label: "parley.person")

    init(_ file: KeptFile?) {
        self.file = file
    }

    /// The secret in the file; nil if there is none.
    ///
    /// - Throws: `dataDirectoryUnusable` for a file with other content.
    func read() throws(NodeError) -> PersonSecret? {
        guard let file else { return nil }
        let reason: String
        do throws(KeptFile.Failure) {
            guard let bytes = try file.read(atMost: 4_096) else { return nil }
            if let secret = PersonSecret(packed: Slice(bytes)) { return secret }
            reason = "\(file.path) is not the key of a person."
        } catch {
            reason = "\(error)"
        }
        throw .dataDirectoryUnusable(
            path: file.path,
            reason: reason,
            hint: "Restore it from a backup, or move it away and link your other devices again."
        )
    }

    /// Writes a secret; `done` is called on the queue of the file, with the error if there is any.
    func write(_ secret: PersonSecret, _ done: @escaping @Sendable (NodeError?) -> Void) {
        queue.async { [file] in
            do throws(KeptFile.Failure) {
                try file?.replace(with: secret.packed)
                done(nil)
            } catch {
                done(.storeFailed("The key of the person is not on disk: \(error)."))
            }
        }
    }
}
