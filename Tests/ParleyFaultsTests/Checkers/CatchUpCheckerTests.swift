import ParleyCore
import ParleyFaults
import Testing

/// When a node may ask a second holder for an envelope.
@Suite struct CatchUpCheckerTests {
    private let author = SimulatedAuthor(
        crypto: SimulatedCryptography(seed: 9),
        table: SimulatedConversation(1)
    )

    /// An event of node 0, on its links 1 and 2 to the nodes 1 and 2.
    enum Deed: Sendable {
        case wants(of: Int)
        case hearsNotFound(from: Int)
        /// Its peer says so; the node has not heard it yet.
        case isToldNotFound(by: Int)
        case hearsEnvelope(from: Int)
        /// Another envelope, of the session of the first one or another, whose author has seen the
        /// first one or not.
        case hearsAnother(of: String, seen: Bool)
        case loses(link: Int)
        case waits(milliseconds: Int64)
    }

    /// The events of a node, and how often it asks somebody too early.
    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let breaks: Int
        let deeds: [Deed]

        init(_ name: String, breaks: Int, _ deeds: Deed...) {
            testDescription = name
            self.breaks = breaks
            self.deeds = deeds
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
            .isToldNotFound(by: 1),
            .hearsNotFound(from: 1),
            .wants(of: 2)
        ),
        History(
            "while not found is on its way",
            breaks: 1,
            .wants(of: 1),
            .isToldNotFound(by: 1),
            .wants(of: 2)
        ),
        History(
            "after not found of another one",
            breaks: 1,
            .wants(of: 1),
            .hearsNotFound(from: 2),
            .wants(of: 2)
        ),
        // Seed 10307773: the want was over, and came back when the replacement was replaced by a
        // message whose author did not know the envelope.
        History(
            "after a replacement came",
            breaks: 0,
            .wants(of: 1),
            .hearsAnother(of: "s", seen: true),
            .wants(of: 2)
        ),
        History(
            "after a rival of it came",
            breaks: 1,
            .wants(of: 1),
            .hearsAnother(of: "s", seen: false),
            .wants(of: 2)
        ),
        History(
            "after a message of another session came",
            breaks: 1,
            .wants(of: 1),
            .hearsAnother(of: "t", seen: true),
            .wants(of: 2)
        ),
        // Seed 9009896: the answer to the first want was said before the second one and arrived
        // after it.
        History(
            "not found, which is late",
            breaks: 0,
            .wants(of: 1),
            .waits(milliseconds: 900),
            .isToldNotFound(by: 1),
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
        for deed in history.deeds {
            if case .waits(let milliseconds) = deed { world.run(.milliseconds(milliseconds)) }
            if let event = try event(deed) { checker.observe(event, in: world) }
        }
        #expect(world.failures.count == history.breaks)
    }

    private func event(_ deed: Deed) throws -> WorldEvent? {
        let envelope = author.envelope(author.header("s", 1), session: "s", text: "s")
        let entry = try #require(author.entry(envelope, position: 0))
        let want = Frame.want(WantList(conversation: 0, entries: [entry]))
        let answer = HaveEntry.notFound(entry.name, tag: entry.tag)
        let notFound = Frame.have(HaveList(conversation: 0, entries: [answer]))
        switch deed {
        case .wants(let peer):
            return .sent(from: 0, to: peer, link: link(peer), bytes: bytes(of: want))
        case .isToldNotFound(let peer):
            return .sent(from: peer, to: 0, link: LinkID(9), bytes: bytes(of: notFound))
        case .hearsNotFound(let peer):
            return .input(node: 0, .received(link(peer), bytes(of: notFound)))
        case .hearsEnvelope(let peer):
            let frame = author.frame(envelope)
            return .input(node: 0, .received(link(peer), bytes(of: frame)))
        case .hearsAnother(let session, let seen):
            let rival = SimulatedAuthor(
                crypto: SimulatedCryptography(seed: 8),
                table: author.table
            )
            let header = rival.header(session, 1, revision: 2, context: seen ? [entry.dot] : [])
            let frame = rival.frame(rival.envelope(header, session: session, text: "r"))
            return .input(node: 0, .received(link(1), bytes(of: frame)))
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
