import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// Conversations of any length cost a host the same, and what is older than it remembers is read
/// when somebody uses it.
@MainActor
@Suite struct LongConversationTests {
    private static let app = HostedApp(Probe.self, id: "game", startsHeadless: false)
    /// The sessions that a host remembers of a conversation, and at most twice as many.
    private static let remembered = 1_024
    private let ben = Participant(id: UUID(), device: "BEN", name: nil)

    private func node(_ count: Int) throws -> DeskNode {
        let node = DeskNode([ben])
        node.shown = try (0..<count).map { try node.message("?\($0)", app: "game", from: ben) }
        node.position = 1
        return node
    }

    private func started(_ node: DeskNode) -> AppHost {
        Probe.reset()
        let host = AppHost(apps: [Self.app], node: node)
        host.start()
        return host
    }

    private func panel(_ host: AppHost) throws -> AppPanel {
        var found: AppPanel?
        host.panel(Self.app, in: "table") { found = try? $0.get() }
        return try #require(found)
    }

    /// Ten times as many messages, and not one more is read.
    @Test func readsNoMoreOfALongConversation() async throws {
        var costs: [Int] = []
        for count in [2_000, 20_000] {
            let node = try node(count)
            let host = started(node)
            let part = try await host.part(of: "table", last: 50, before: nil)
            #expect(part.bubbles.map(\.url) == (count - 50..<count).map { "?\($0)" })
            let earlier = try await host.part(of: "table", last: 50, before: part.next)
            #expect(earlier.bubbles.map(\.url) == (count - 100..<count - 50).map { "?\($0)" })
            costs.append(node.entriesAsked.reduce(0, +))
        }
        #expect(costs[0] == costs[1])
        #expect(costs[0] <= Self.remembered + TranscriptPage.entriesMax + 100)
    }

    /// Of the sessions that change, those stay in memory that have changed last.
    @Test func remembersWhatHasChangedLast() throws {
        let node = try node(1)
        let host = started(node)
        let panel = try panel(host)
        try panel.open()
        for number in 1...5 * Self.remembered {
            let message = try node.message("?\(number)", app: "game", from: ben)
            node.emit(.happened(.shown(conversation: "table", message)))
        }
        let latest = try #require(panel.activeConversation?.parley?.latestMessages)
        #expect((Self.remembered..<2 * Self.remembered).contains(latest.count))
        let urls = latest.compactMap(\.content?.url)
        #expect(urls.contains("?\(5 * Self.remembered)") && !urls.contains("?0"))
    }

    /// A tap on an old message opens it, and is no arrival.
    @Test func anOldMessageCanBeTapped() throws {
        let node = try node(3_000)
        let panel = try panel(started(node))
        try panel.open(.expanded)
        Probe.calls = []
        panel.tap(node.shown[0].id)
        let conversation = try #require(panel.activeConversation)
        #expect(conversation.selectedMessage?.url?.absoluteString == "?0")
        #expect(Probe.take().filter { $0.hasPrefix("didReceive") } == [])
    }

    /// The pages of a transcript are bounded even if there is nothing in them but stickers.
    @Test func stickersAloneDoNotKeepAHostReading() async throws {
        let node = try node(20_000)
        let target = node.shown[0]
        node.shown = try node.shown.map { message in
            var content = try #require(message.content)
            content.placement = Placement(on: target.id, x: 1, y: 1)
            // The session of a sticker begins with the first half of who placed it.
            let text = ben.id.uuidString.prefix(18) + UUID().uuidString.dropFirst(18)
            return Message(
                session: SessionID(try #require(UUID(uuidString: String(text)))),
                id: message.id,
                revision: 1,
                sender: ben,
                sentAt: message.sentAt,
                content: content
            )
        }
        let host = started(node)
        _ = try panel(host)
        node.entriesAsked = []
        let part = try await host.part(of: "table", last: 50, before: nil)
        #expect(part.bubbles.isEmpty && part.next != nil)
        #expect(node.entriesAsked.reduce(0, +) <= AppHost.TranscriptPart.readMax)
    }
}
