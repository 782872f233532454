import Foundation
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

/// The bubbles that apps draw for pages, the most recently requested ones.
@MainActor
final class LiveBubbleTable {
    private struct Entry {
        let conversation: String
        let bubble: LiveBubble
        /// The document that pages have, with the serial number 0.
        var sent: LiveDocument
    }

    private let apps: AppHost
    /// The bubble that was asked for last comes last.
    private var entries: [Entry] = []

    /// The most bubbles that are drawn at once; beyond it, the oldest request is closed.
    static let countMax = 24

    nonisolated init(_ apps: AppHost) {
        self.apps = apps
    }

    /// The bubble of a message, if it is drawn.
    func bubble(_ id: MessageID, in conversation: String) -> LiveBubble? {
        entries.first { $0.bubble.id == id && $0.conversation == conversation }?.bubble
    }

    /// Has the app draw a bubble in at most that size.
    ///
    /// - Throws: `nothingThere` if the message has no live layout, or no app here has it.
    func show(
        _ id: MessageID,
        in conversation: String,
        offered: CGSize
    ) async throws -> LiveDocument {
        if bubble(id, in: conversation) == nil {
            guard let made = try await apps.live(id, in: conversation, offered: offered) else {
                throw HostError.nothingThere
            }
            if bubble(id, in: conversation) == nil {
                let sent = Self.document(made, in: conversation)
                entries.append(Entry(conversation: conversation, bubble: made, sent: sent))
            } else {
                // Another page has asked for the same bubble meanwhile.
                made.close()
            }
        }
        return try shown(id, in: conversation, offered: offered)
    }

    private func shown(
        _ id: MessageID,
        in conversation: String,
        offered: CGSize
    ) throws -> LiveDocument {
        let found = entries.firstIndex {
            $0.bubble.id == id && $0.conversation == conversation
        }
        guard let found else { throw HostError.nothingThere }
        var entry = entries.remove(at: found)
        entry.bubble.fit(into: offered)
        entry.sent = Self.document(entry.bubble, in: conversation)
        entries.append(entry)
        return numbered(entry.sent)
    }

    /// The bubbles of a conversation that have changed since the last call; a bubble is closed when
    /// its message is not shown any more.
    func changes(in conversation: String) -> [LiveDocument] {
        var changes: [LiveDocument] = []
        for index in entries.indices where entries[index].conversation == conversation {
            let entry = entries[index]
            guard apps.isShown(entry.bubble.id, in: conversation) else { continue }
            let document = Self.document(entry.bubble, in: conversation)
            guard document != entry.sent else { continue }
            entries[index].sent = document
            changes.append(numbered(document))
        }
        return changes
            + close { [apps] in
                $0.conversation == conversation && !apps.isShown($0.bubble.id, in: conversation)
            }
    }

    /// Closes the bubbles beyond the limit, and returns what pages have to know of it.
    func closeExcess() -> [LiveDocument] {
        let excess = Set(entries.dropLast(Self.countMax).map(\.bubble.id))
        return excess.isEmpty ? [] : close { excess.contains($0.bubble.id) }
    }

    /// Closes all bubbles, and returns what pages have to know of it.
    func closeAll() -> [LiveDocument] { close { _ in true } }

    private func close(where isOver: (Entry) -> Bool) -> [LiveDocument] {
        let over = entries.filter(isOver)
        entries.removeAll(where: isOver)
        return over.map { entry in
            entry.bubble.close()
            var document = entry.sent
            document.tree = nil
            return numbered(document)
        }
    }

    private func numbered(_ document: LiveDocument) -> LiveDocument {
        var document = document
        document.serial = apps.nextSerial()
        return document
    }

    private static func document(_ bubble: LiveBubble, in conversation: String) -> LiveDocument {
        let tree = bubble.tree
        return LiveDocument(
            conversation: conversation,
            message: bubble.id.description,
            serial: 0,
            version: tree.version,
            width: Double(bubble.size.width),
            height: Double(bubble.size.height),
            tree: ViewDocument(tree.root, in: PicturePath(bubble, in: conversation))
        )
    }
}
