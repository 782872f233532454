import Foundation
import ParleyNode
import Synchronization

/// The conversations that this node has joined, and has not made itself.
///
/// A device that has just joined knows no other member until the first link. The table is kept in
/// the data directory, because the others may be away for longer than this node runs.
final class JoinTable: Sendable {
    private let file: KeptFile?
    private let joined: Mutex<Set<String>>
    /// Whether the file could not be read, or had something else in it.
    let wasDamaged: Bool

    /// The length of a conversation ID, in characters.
    private static let idLength = 64
    /// The limit of the file, in bytes; the number of conversations of a node has a limit too.
    private static let fileBytesMax = 1 << 20

    /// The table of a node, which is kept in `file` unless that is nil.
    init(keepingIn file: KeptFile?) {
        self.file = file
        // Without the file the page says that nobody is there, and not that the node still looks
        // for others.
        let bytes = Result { try file?.read(atMost: Self.fileBytesMax) }
        let text = ((try? bytes.get()) ?? nil).map { String(decoding: $0, as: UTF8.self) }
        let lines = (text ?? "").split(separator: "\n")
        let ids = lines.filter { $0.utf8.count == Self.idLength }
        let isAbsent = if case .success(nil) = bytes { true } else { false }
        // A file is written with the first conversation, so an empty one has lost them.
        wasDamaged = !isAbsent && (ids.isEmpty || ids.count < lines.count)
        joined = Mutex(Set(ids.map(String.init)))
    }

    /// Whether the node has joined the conversation with that ID.
    func contains(_ id: String) -> Bool { joined.withLock { $0.contains(id) } }

    /// Notes that the node has joined a conversation, and forgets conversations outside of `all`.
    func note(_ id: String, among all: [Conversation]) {
        let text = joined.withLock { joined -> String? in
            guard !joined.contains(id) else { return nil }
            joined = joined.intersection(all.map(\.id)).union([id])
            return joined.sorted().map { $0 + "\n" }.joined()
        }
        // A file that cannot be written costs a less exact sentence after a restart.
        if let text { try? file?.replace(with: Array(text.utf8)) }
    }
}
