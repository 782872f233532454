import ParleyCore
import ParleyFaults
import Testing

/// After a step, a segment is kept as long as a link has yet to send it.
@Suite struct LinkTableSegmentsTests {
    private let ada = SimulatedAuthor(writer: 2)

    /// How far a peer has come with a feed of 40 messages, or why it gets none of it.
    enum Peer: Sendable {
        case behind, done, suspect, closing
        /// The peer has not asked for the feed.
        case silent
        /// The link shares another conversation only, with whose feed it is behind.
        case elsewhere
    }

    private func link(
        _ number: UInt64,
        to peer: Peer,
        of conversation: Conversation
    ) throws -> Link {
        let shared = peer == .elsewhere ? SampleConversation.other(2) : conversation
        var link = Link(number, to: number + 1).greeted()
        var random = CountingNumbers()
        let tags = link.tagsToSend(for: [shared], using: SampleConversation.node, random: &random)
        #expect(tags != nil)
        link.share(shared, (own: 3, peer: 4))
        if peer != .silent { try link.replications[0].begin(.fromBeginning, of: shared) }
        switch peer {
        case .suspect: return link.suspected(at: .start)
        case .closing: return link.closing()
        case .behind, .done, .silent, .elsewhere: return link
        }
    }

    /// Links to these peers, and a segment with the whole feed.
    private func table(_ peers: [Peer]) throws -> LinkTable {
        var sample = SampleConversation(writers: [ada])
        var links: [Link] = []
        for (index, peer) in peers.enumerated() {
            links.append(try link(UInt64(index) + 1, to: peer, of: sample.conversation))
        }
        sample.take(try (1...40).map { try ada.writes("s\($0)", $0) })
        for index in peers.indices where peers[index] == .done {
            _ = links[index].replications[0].sent(from: sample)
        }
        var table = LinkTable(links)
        table.segments.put(
            EncodedSegment(
                EncodedSegment.Key(conversation: 1, incarnation: nil, number: 3, start: 0),
                of: sample.conversation,
                committed: sample.ticket,
                creditMax: 1 << 20
            )
        )
        return table
    }

    private static let withoutNeed: [[Peer]] = [
        [], [.done], [.done, .done], [.done, .suspect], [.closing, .done], [.silent],
        [.done, .silent], [.elsewhere, .done], [.suspect, .closing, .silent, .elsewhere],
    ]
    private static let inNeed: [[Peer]] = [
        [.behind], [.done, .behind], [.behind, .done, .done], [.behind, .suspect],
        [.closing, .silent, .behind, .elsewhere],
    ]

    @Test(arguments: withoutNeed)
    func aSegmentIsDroppedThatNoLinkNeeds(_ peers: [Peer]) throws {
        var table = try table(peers)
        table.endPump()
        #expect(table.segments.isEmpty)
    }

    @Test(arguments: inNeed)
    func aSegmentStaysThatALinkNeeds(_ peers: [Peer]) throws {
        var table = try table(peers)
        table.endPump()
        #expect(!table.segments.isEmpty)
    }

    /// The links end on which this node has proved its membership.
    @Test func theSegmentsOfAConversationThatWasLeftAreDropped() throws {
        var table = try table([.behind, .elsewhere])
        var step = Step(at: .start)
        table.all.left(2, into: &step)
        table.endPump()
        #expect(!table.segments.isEmpty)
        table.all.left(1, into: &step)
        table.endPump()
        #expect(table.segments.isEmpty)
    }
}
