import ParleyCore
import ParleyFaults
import Testing

/// When a node may ask a second holder for an envelope.
@Suite struct CatchUpCheckerTests {
    private let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 9),
        table: SimulatedConversation(1)
    )

    private let other = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 10),
        table: SimulatedConversation(1)
    )

    /// An event of node 0, on its links 1 and 2 to the nodes 1 and 2.
    enum Incident: Sendable {
        case wants(of: Int)
        case hearsNotFound(from: Int)
        /// Its peer says so; the node has not heard it yet.
        case isAnsweredNotFound(by: Int)
        case hearsEnvelope(from: Int)
        /// A later envelope of the session arrives; `replaces` says whether its context has the
        /// wanted one.
        case hearsLater(from: Int, replaces: Bool)
        case loses(link: Int)
        case waits(milliseconds: Int64)
    }

    /// The events of a node, and how often it asks somebody too early.
    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let breaks: Int
        let incidents: [Incident]

        init(_ name: String, breaks: Int, _ incidents: Incident...) {
            testDescription = name
            self.breaks = breaks
            self.incidents = incidents
        }
    }

    static let histories: [History] = [
        History("two at once", breaks: 1, .wants(of: 1), .wants(of: 2)),
        History(
            "after the patience of a fast clock",
            breaks: 0,
            .wants(of: 1),
            .waits(milliseconds: 450),
            .wants(of: 2)
        ),
        History("the same one again", breaks: 0, .wants(of: 1), .wants(of: 1)),
        History(
            "after the envelope came",
            breaks: 0,
            .wants(of: 1),
            .hearsEnvelope(from: 1),
            .wants(of: 2)
        ),
        History(
            "after its link was lost",
            breaks: 0,
            .wants(of: 1),
            .loses(link: 1),
            .wants(of: 2)
        ),
        History(
            "after another link was lost",
            breaks: 1,
            .wants(of: 1),
            .loses(link: 2),
            .wants(of: 2)
        ),
        History(
            "after not found",
            breaks: 0,
            .wants(of: 1),
            .isAnsweredNotFound(by: 1),
            .hearsNotFound(from: 1),
            .wants(of: 2)
        ),
        History(
            "while not found is on its way",
            breaks: 1,
            .wants(of: 1),
            .isAnsweredNotFound(by: 1),
            .wants(of: 2)
        ),
        History(
            "after not found of another one",
            breaks: 1,
            .wants(of: 1),
            .hearsNotFound(from: 2),
            .wants(of: 2)
        ),
        // Seed 10307773: the node has no head that replaces the wanted envelope, as a further one
        // with a false context replaced that in turn.
        History(
            "after a replacement came that was replaced",
            breaks: 0,
            .wants(of: 1),
            .hearsLater(from: 2, replaces: true),
            .wants(of: 2)
        ),
        History(
            "after a later envelope came that does not replace it",
            breaks: 1,
            .wants(of: 1),
            .hearsLater(from: 2, replaces: false),
            .wants(of: 2)
        ),
        History(
            "two at once after a replacement came that was replaced",
            breaks: 1,
            .wants(of: 1),
            .hearsLater(from: 2, replaces: true),
            .wants(of: 2),
            .wants(of: 1)
        ),
        // Seed 9009896: the answer to the first want was said before the second one and arrived
        // after it.
        History(
            "not found, which is late",
            breaks: 0,
            .wants(of: 1),
            .waits(milliseconds: 900),
            .isAnsweredNotFound(by: 1),
            .waits(milliseconds: 100),
            .wants(of: 1),
            .waits(milliseconds: 100),
            .hearsNotFound(from: 1),
            .wants(of: 2)
        ),
    ]

    @Test(arguments: histories)
    func secondHolderIsAskedInTime(_ history: History) throws {
        let world = World()
        for _ in 0...2 { world.addNode() }
        var checker = CatchUpChecker()
        for incident in history.incidents {
            if case .waits(let milliseconds) = incident { world.run(.milliseconds(milliseconds)) }
            if let event = try event(incident) { checker.observe(event, in: world) }
        }
        #expect(world.failures.count == history.breaks)
    }

    /// A node ignores announcements of an envelope that one of its heads replaces.
    @Test func replacedEnvelopeIsNotAskedForAgain() throws {
        let world = World(nodes: 3)
        let table = SimulatedConversation(1)
        world.join(table, [0])
        let first = try send("first", in: table, of: world)
        let second = try send("second", in: table, of: world)
        let entry = try #require(author.entry(first, position: 0))
        let want = Frame.want(WantList(conversation: 0, entries: [entry]))
        let later = author.frame(second)
        var checker = CatchUpChecker()
        for event: WorldEvent in [
            .sent(from: 0, to: 1, link: link(1), bytes: bytes(of: want)),
            .input(node: 0, .received(link(1), bytes(of: later))),
            .sent(from: 0, to: 2, link: link(2), bytes: bytes(of: want)),
        ] {
            checker.observe(event, in: world)
        }
        #expect(world.failures.count == 1)
    }

    /// Node 0 writes a message, which replaces all heads of the session; returns its envelope.
    private func send(
        _ text: String,
        in table: SimulatedConversation,
        of world: World
    ) throws -> Slice {
        world.send("s", text, by: 0, in: table)
        world.run(.milliseconds(200))
        let session = try #require(world.nodes[0].machine?.conversations.first?.sessions.first)
        return try #require(session.heads.first?.envelope)
    }

    private func event(_ incident: Incident) throws -> WorldEvent? {
        let envelope = author.envelope(author.header("s", 1), session: "s", text: "s")
        let entry = try #require(author.entry(envelope, position: 0))
        let want = Frame.want(WantList(conversation: 0, entries: [entry]))
        let answer = HaveEntry.notFound(entry.name)
        let notFound = Frame.have(HaveList(conversation: 0, entries: [answer]))
        switch incident {
        case .wants(let peer):
            return .sent(from: 0, to: peer, link: link(peer), bytes: bytes(of: want))
        case .isAnsweredNotFound(let peer):
            return .sent(from: peer, to: 0, link: LinkID(9), bytes: bytes(of: notFound))
        case .hearsNotFound(let peer):
            return .input(node: 0, .received(link(peer), bytes(of: notFound)))
        case .hearsEnvelope(let peer):
            let frame = author.frame(envelope)
            return .input(node: 0, .received(link(peer), bytes(of: frame)))
        case .hearsLater(let peer, let replaces):
            let context = replaces ? [author.dot(1)] : []
            let header = other.header("s", 1, revision: 2, context: context)
            let later = other.envelope(header, session: "s", text: "later")
            return .input(node: 0, .received(link(peer), bytes(of: other.frame(later))))
        case .loses(let peer): return .input(node: 0, .linkClosed(link(peer), "lost"))
        case .waits: return nil
        }
    }

    private func link(_ peer: Int) -> LinkID { LinkID(UInt64(peer)) }

    private func bytes(of frame: Frame) -> Slice {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        return Slice(bytes)
    }
}
