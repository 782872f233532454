import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// Signals of those who do not keep to the rules.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BoardLimitTests {
    private let ben = Participant(id: UUID(), device: "BEN", name: "ben")
    private let cat = Participant(id: UUID(), device: "CAT", name: "cat")
    private let node: DeskNode
    private let host: AppHost

    init() {
        node = DeskNode([ben, cat])
        host = AppHost(apps: [Tally.app], node: node)
    }

    /// A match of this person, who has the turn, and ben; the host is started.
    private func running() async throws -> (session: SessionID, panel: AppPanel) {
        var match = Match(.running, least: 2, most: 2)
        match.seats = [DeskNode.me.id, ben.id]
        match.turn = [0]
        var content = MessageContent()
        content.app = "tally"
        content.url = "?n=0"
        content.match = match
        let made = try node.message("?n=0", app: "tally", from: ben)
        node.show(Message(made, content))
        host.start()
        let panel = try await host.panel(Tally.app, in: "table")
        return (made.session, panel)
    }

    private func hear(_ kind: SignalKind, _ session: SessionID, by participant: UUID) {
        node.emit(
            .happened(.signal(conversation: "table", session: session, kind, by: participant))
        )
    }

    @Test func nudgesOfOthersAndTooManyAreNotShown() async throws {
        let (session, _) = try await running()
        var shown: [String] = []
        host.nudgeObserver = { shown.append($0.name) }
        for participant in [cat.id, DeskNode.me.id, UUID()] {
            hear(.nudge, session, by: participant)
        }
        hear(.nudge, SessionID(), by: ben.id)
        #expect(shown.isEmpty)
        for _ in 0..<3 { hear(.nudge, session, by: ben.id) }
        #expect(shown == ["ben"])
        node.now += 59
        hear(.nudge, session, by: ben.id)
        #expect(shown == ["ben"])
        node.now += 2
        hear(.nudge, session, by: ben.id)
        #expect(shown == ["ben", "ben"])
    }

    @Test func onlyParticipantsAreAtABoard() async throws {
        let (session, panel) = try await running()
        for participant in [ben.id, cat.id, UUID()] {
            hear(.atBoard, session, by: participant)
            hear(.atBoard, SessionID(), by: participant)
        }
        try panel.open()
        panel.tap(try #require(node.shown.last?.id))
        let screen = try #require(panel.screen)
        let text = "\(screen.tree)"
        #expect(text.contains(ben.id.uuidString) && text.contains(cat.id.uuidString))
        #expect(node.signals == [.atBoard])
        panel.close()
        #expect(node.signals == [.atBoard, .awayFromBoard])
    }

    /// The person has closed the last page; the app on the node stays open.
    @Test func whoClosesThePageIsGone() async throws {
        let (_, panel) = try await running()
        host.isOnPage(true)
        try panel.open()
        panel.tap(try #require(node.shown.last?.id))
        #expect(node.signals == [.atBoard])
        host.isOnPage(false)
        #expect(node.signals == [.atBoard, .awayFromBoard])
        host.isOnPage(true)
        #expect(node.signals == [.atBoard, .awayFromBoard, .atBoard])
    }
}
