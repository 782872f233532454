import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// Taps on messages, and conflicts, of which the host reads before it is told of them by events.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TapTests {
    private static let app = HostedApp(Probe.self, id: "game", startsHeadless: false)
    private let ben = Participant(id: UUID(), device: "BEN", name: nil)

    /// The panel of the app on a node that has no message yet.
    private func panel(_ node: DeskNode) throws -> AppPanel {
        Probe.reset()
        let host = AppHost(apps: [Self.app], node: node)
        host.start()
        var found: AppPanel?
        host.panel(Self.app, in: "table") { found = try? $0.get() }
        return try #require(found)
    }

    private func emit(_ message: Message, of node: DeskNode) {
        node.emit(.happened(.shown(conversation: "table", message)))
    }

    /// Regression: the tap was refused with `unknownMessage`, as the event came after it.
    @Test(arguments: [true, false])
    func theMessageIsReadFromTheNode(isOpen: Bool) throws {
        let node = DeskNode([ben])
        let panel = try panel(node)
        if isOpen { try panel.open(.expanded) }
        let message = try node.message("?new", app: "game", from: ben)
        node.show(message)
        Probe.calls = []
        var result: Result<Void, HostError>?
        panel.tap(message.id) { result = $0 }
        #expect(throws: Never.self) { try result?.get() }
        let conversation = try #require(panel.activeConversation)
        #expect(conversation.selectedMessage?.url?.absoluteString == "?new")
        #expect(conversation.parley?.latestMessages.map(\.id) == [message.id])
        // An open app is told of the message once, and a closed one is opened with it.
        emit(message, of: node)
        let received = Probe.take().filter { $0.hasPrefix("didReceive") }
        #expect(received == (isOpen ? ["didReceive ?new selected - expanded"] : []))
    }

    @Test func anotherHeadOfAConflictIsReadFromTheNode() throws {
        let node = DeskNode([ben])
        let panel = try panel(node)
        let session = SessionID()
        let shown = try node.message(
            "?shown",
            app: "game",
            from: ben,
            in: session,
            isConflict: true
        )
        let other = try node.message("?other", app: "game", from: ben, in: session)
        node.show(shown)
        node.others[session] = [other]
        panel.tap(other.id)
        let conversation = try #require(panel.activeConversation)
        #expect(conversation.selectedMessage?.url?.absoluteString == "?other")
        #expect(conversation.parley?.latestMessages.map(\.id) == [shown.id])
    }

    /// Events that come after the message was read may be of older messages of the session.
    @Test func anOlderMessageThatIsToldLaterIsNotShown() throws {
        let node = DeskNode([ben])
        let panel = try panel(node)
        try panel.open(.expanded)
        let session = SessionID()
        let old = try node.message("?1", app: "game", from: ben, in: session)
        let new = try node.message("?2", app: "game", from: ben, in: session, revision: 2)
        node.show(new)
        panel.tap(new.id)
        emit(old, of: node)
        emit(new, of: node)
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?2"])
        let parley = try #require(panel.activeConversation?.parley)
        #expect(parley.latestMessages.map(\.id) == [new.id])
    }

    /// Two people moved at once, and the event of the move that lost comes after the tap.
    @Test func aMessageThatHasLostIsNotShown() throws {
        let node = DeskNode([ben])
        let panel = try panel(node)
        try panel.open(.expanded)
        let session = SessionID()
        let lost = try node.message("?lost", app: "game", from: ben, in: session)
        let won = try node.message("?won", app: "game", from: ben, in: session, isConflict: true)
        node.show(won)
        node.others[session] = [lost]
        panel.tap(won.id)
        emit(lost, of: node)
        emit(won, of: node)
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?won"])
        let parley = try #require(panel.activeConversation?.parley)
        #expect(parley.latestMessages.map(\.id) == [won.id])
    }

    /// A conflict is read from the node, which may have a newer message already; an open app is
    /// told of that as well, once.
    @Test func aMessageThatIsReadWithAConflictIsTold() throws {
        let node = DeskNode([ben])
        let panel = try panel(node)
        try panel.open(.expanded)
        let session = SessionID()
        let old = try node.message("?1", app: "game", from: ben, in: session, isConflict: true)
        let new = try node.message("?2", app: "game", from: ben, in: session, revision: 2)
        node.show(old)
        emit(old, of: node)
        node.show(new)
        node.emit(
            .happened(.conflict(conversation: "table", session: session, heads: [new.id]))
        )
        emit(new, of: node)
        #expect(Probe.received.map { $0.url?.absoluteString } == ["?1", "?2"])
    }

    @Test func aMessageThatTheNodeLacksIsRefused() throws {
        let node = DeskNode([ben])
        let panel = try panel(node)
        let session = SessionID()
        let replaced = try node.message("?1", app: "game", from: ben, in: session)
        node.show(replaced)
        emit(replaced, of: node)
        let shown = try node.message("?2", app: "game", from: ben, in: session, revision: 2)
        node.show(shown)
        emit(shown, of: node)
        let foreign = try node.message("?chess", app: "chess", from: ben)
        node.show(foreign)
        for message in [replaced, foreign] {
            var result: Result<Void, HostError>?
            panel.tap(message.id) { result = $0 }
            #expect(throws: HostError.unknownMessage(message.id.description)) {
                try result?.get()
            }
        }
        #expect(!panel.isOpen)
    }
}
