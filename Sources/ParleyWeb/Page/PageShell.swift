import Foundation
import MessagesHost
import NIOCore
import ParleyNode

/// The page as HTML that can be read without scripts: names of conversations, and the last entries
/// of one.
struct PageShell: Sendable {
    let node: Node
    let apps: AppHost

    /// The number of transcript entries in the HTML.
    private static let entriesMax = 50

    /// The page with the conversation of that name, or with none.
    func html(conversation: String?) async throws -> ByteBuffer {
        guard let shell = PageAsset.all["shell.html"] else { return ByteBuffer() }
        let conversations = try await node.conversations()
        let current = conversations.first { known in
            conversation.map(known.isCalled) ?? false
        }
        var text = String(buffer: shell.bytes)
        let parts = try await [
            "title": HTMLText.escaped(node.status().name),
            "name": HTMLText.escaped(current?.name ?? ""),
            "conversations": conversations.map { link($0, isCurrent: $0 == current) }.joined(),
            "transcript": transcript(of: current),
        ]
        // One pass: what is put in is not searched for further places.
        for (index, piece) in text.split(separator: "<!--parley:", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard index > 0 else {
                text = String(piece)
                continue
            }
            guard let end = piece.firstRange(of: "-->") else { continue }
            text += (parts[String(piece[..<end.lowerBound])] ?? "") + piece[end.upperBound...]
        }
        return ByteBuffer(string: text)
    }

    private func link(_ conversation: Conversation, isCurrent: Bool) -> String {
        let path = HTMLText.pathPart(conversation.name)
        let mark = isCurrent ? " aria-current=\"page\"" : ""
        let name = HTMLText.escaped(conversation.name)
        return "<li><a href=\"/c/\(path)\"\(mark)>\(name)</a></li>"
    }

    private func transcript(of conversation: Conversation?) async throws -> String {
        guard let conversation, conversation.role != .relay else { return "" }
        let bubbles = try await apps.bubbles(of: conversation.name, last: Self.entriesMax)
        return bubbles.map { bubble in
            let who = bubble.isMine ? "You" : bubble.sender.name ?? "Someone"
            let time = bubble.sentAt.formatted(.iso8601)
            return "<article><b>\(HTMLText.escaped(who))</b> "
                + "<p>\(HTMLText.escaped(bubble.line))</p> "
                + "<time datetime=\"\(time)\">\(time)</time></article>"
        }.joined()
    }
}
