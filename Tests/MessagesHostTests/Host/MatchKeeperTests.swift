import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// A host that keeps matches while nobody looks at their conversation.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MatchKeeperTests {
    private let ben = Participant(id: UUID(), device: "BEN", name: "ben")
    private let cat = Participant(id: UUID(), device: "CAT", name: "cat")
    private let node: DeskNode
    private let host: AppHost

    init() {
        node = DeskNode([ben, cat])
        host = AppHost(apps: [Tally.app], node: node)
    }

    /// An offer of `sender`, which the node has.
    private func offer(by sender: Participant) throws -> SessionID {
        var match = Match(.offered, least: 2, most: 2)
        match.seats = [sender.id]
        var content = MessageContent()
        content.app = "tally"
        content.url = "?n=0"
        content.match = match
        let made = try node.message("?n=0", app: "tally", from: sender)
        node.show(Message(made, content))
        return made.session
    }

    /// A wish of `sender` for a seat, which the node has.
    @discardableResult
    private func join(_ session: SessionID, _ sender: Participant) throws -> Message {
        try add(.seat, to: session, sender)
    }

    /// An addition of `sender`, which the node has.
    private func add(
        _ kind: Addition.Kind,
        to session: SessionID,
        _ sender: Participant
    ) throws -> Message {
        // The first half is that of the participant, as the node makes it.
        let half = sender.id.uuidString.prefix(18)
        let own = try #require(UUID(uuidString: half + "-8000-000000000001"))
        var content = MessageContent()
        content.addition = Addition(to: session, kind)
        let made = try node.message("", app: "", from: sender, in: SessionID(own))
        let wish = Message(made, content)
        node.show(wish)
        return wish
    }

    @Test func aSeatIsConfirmedThoughNobodyLooks() throws {
        host.start()
        let wish = try join(try offer(by: DeskNode.me), ben)
        node.emit(.happened(.shown(conversation: "table", wish)))
        #expect(node.sent.last?.content.match?.seats == [DeskNode.me.id, ben.id])
        #expect(node.sent.last?.content.url == "?n=0")
        #expect(node.sent.last?.next == [])
    }

    /// A wish that came just before the node ended is not forgotten.
    @Test func aSeatIsConfirmedAtTheStart() throws {
        try join(try offer(by: DeskNode.me), ben)
        host.start()
        #expect(node.sent.last?.content.match?.seats == [DeskNode.me.id, ben.id])
    }

    /// Regression: whoever waits for the next match was seated only while somebody looked.
    @Test(arguments: [true, false])
    func whoWaitsIsSeatedThoughNobodyLooks(wasOff: Bool) throws {
        var content = MessageContent()
        (content.app, content.url) = ("tally", "?n=0")
        content.match = Match(.over, least: 2, most: 2)
        content.match?.seats = [ben.id, cat.id]
        let first = SessionID(
            try #require(UUID(uuidString: "00000000-0000-8000-8000-000000000007"))
        )
        let over = Message(try node.message("", app: "", from: ben, in: first), content)
        node.show(over)
        try join(over.session, DeskNode.me)
        if !wasOff { host.start() }
        let next = SessionID(try #require(UUID(uuidString: "00000000-0000-8000-8000-000000000008")))
        content.match = Match(.offered, least: 2, most: 2)
        content.match?.seats = [ben.id]
        let offer = Message(try node.message("", app: "", from: ben, in: next), content)
        node.show(offer)
        if wasOff { host.start() }
        node.emit(.happened(.shown(conversation: "table", offer)))
        #expect(node.sent.compactMap(\.content.addition).map(\.session) == [next])
    }

    /// The matches of others are none of this node's business: it writes nothing, not even that it
    /// takes part.
    @Test func whoDoesNotPlayWritesNothing() throws {
        let session = try offer(by: ben)
        host.start()
        let wish = try join(session, cat)
        node.emit(.happened(.shown(conversation: "table", wish)))
        #expect(node.sent.isEmpty)
    }

    /// The offer that was confirmed is not confirmed again by a wish that is known already.
    @Test func aConfirmationIsSentOnce() throws {
        host.start()
        let wish = try join(try offer(by: DeskNode.me), ben)
        for _ in 0..<3 { node.emit(.happened(.shown(conversation: "table", wish))) }
        #expect(node.sent.count { $0.content.match != nil } == 1)
    }

    /// A message against the rules changes nothing, and the next message overrules it.
    @Test func whatIsAgainstTheRulesDoesNotCount() throws {
        var content = MessageContent()
        (content.app, content.url) = ("tally", "?n=1")
        content.layout = ContentLayout()
        content.match = Match(.running, least: 2, most: 2)
        content.match?.seats = [DeskNode.me.id, ben.id]
        content.match?.turn = [0]
        let legal = Message(try node.message("", app: "", from: ben), content)
        node.show(legal)
        host.start()
        host.bubbles(of: "table") { _ in }
        content.url = "?n=99"
        content.match?.seats = [ben.id, DeskNode.me.id]
        let made = try node.message("", app: "", from: ben, in: legal.session, revision: 2)
        let broken = Message(made, content, fault: .seatsChanged)
        node.show(broken)
        node.emit(.happened(.shown(conversation: "table", broken)))
        var bubbles: [Bubble] = []
        host.bubbles(of: "table") { bubbles = (try? $0.get()) ?? [] }
        #expect(
            bubbles.last?.layout?.subcaption
                == "The move does not count. The seats of a game that has begun stay as they are."
        )
        let quit = try add(.quit, to: legal.session, ben)
        node.emit(.happened(.shown(conversation: "table", quit)))
        let end = try #require(node.sent.last { $0.content.match != nil })
        #expect(end.content.match?.seats == [DeskNode.me.id, ben.id])
        #expect(end.content.match?.outcomes?.map(\.result) == [.won, .quit])
        #expect(end.content.match?.overruled == [broken.id])
        #expect(end.replacing == [broken.id])
        #expect(end.content.url == "?n=1")
    }
}

extension Message {
    /// The same message with another content.
    init(
        _ message: Message,
        _ content: MessageContent,
        fault: Match.Fault? = nil
    ) {
        self.init(
            session: message.session,
            id: message.id,
            revision: message.revision,
            sender: message.sender,
            sentAt: message.sentAt,
            content: content,
            fault: fault
        )
    }
}
