/// The next part of a feed, encoded once for all links that have sent it up to the same position.
///
/// Links come to that position in different steps. `isCurrent` says whether the segment still
/// stands for that part of the feed.
///
/// A segment holds only envelopes that most links send in the same form. Such an envelope is the
/// only head of its session, is in memory, has no blobs, and is below the hop limit. Peers'
/// envelopes must have come by a push, own envelopes must be on disk.
package struct EncodedSegment: Sendable {
    /// The part of a feed that a segment holds.
    package struct Key: Hashable, Sendable {
        package let conversation: UInt32
        /// The incarnation of the feed: a conversation that is left and joined again has a new
        /// feed.
        package let incarnation: UInt64?
        /// The conversation's number in frames of this side.
        package let number: UInt32
        /// The segment begins after this position.
        package let start: UInt64

        package init(
            conversation: UInt32,
            incarnation: UInt64?,
            number: UInt32,
            start: UInt64
        ) {
            self.conversation = conversation
            self.incarnation = incarnation
            self.number = number
            self.start = start
        }
    }

    /// The place of one envelope in the feed.
    package struct Entry: Sendable {
        package let session: Int32
        package let position: UInt64
    }

    /// An envelope until it is encoded.
    private struct Item: Sendable {
        let place: EnvelopePlace
        /// The offset of the proof in the envelope.
        let proofStart: Int
        let hops: UInt8
        let position: UInt64
    }

    package let key: Key
    package private(set) var entries: [Entry] = []
    /// The envelopes of `entries`; empty once they are encoded.
    private var items: [Item] = []
    private var encoded: [UInt8]?
    /// The latest position of the feed when this segment was last known to be current.
    private var latest: UInt64
    /// `SessionTable.knowledge` when this segment was made.
    private let knowledge: UInt64
    /// The position of the last envelope.
    package private(set) var end: UInt64
    /// The length of the frames, and the credit that they use, in bytes; both are upper bounds.
    package private(set) var frameBytes = 0
    package private(set) var creditBytes = 0
    /// The origins of the envelopes.
    package private(set) var origins: [OriginID] = []
    /// The links whose peers have some of the envelopes, and the links whose peers have all.
    package private(set) var knownToSome = Few<LinkID>()
    package private(set) var knownToAll = Few<LinkID>()

    package var count: Int { entries.count }

    /// Collects envelopes after `key.start` that use at most `creditMax` bytes of credit.
    package init(
        _ key: Key,
        of conversation: Conversation,
        committed: Ticket,
        creditMax: Int
    ) {
        self.key = key
        end = key.start
        latest = conversation.feed.latest
        knowledge = conversation.sessions.knowledge
        conversation.feed.forEach(after: key.start) { position, session in
            guard conversation.sessions[Int(session)].heads.count == 1,
                conversation.sessions[Int(session)].heads[0].sentAfter <= committed
            else { return false }
            return add(session, of: conversation.sessions, at: position, creditMax: creditMax)
        }
    }

    /// Whether the envelopes still have these positions, and nothing new is known of which peers
    /// have heads.
    mutating func isCurrent(in conversation: Conversation) -> Bool {
        guard knowledge == conversation.sessions.knowledge else { return false }
        if latest == conversation.feed.latest { return true }
        let isCurrent = entries.allSatisfy {
            conversation.feed.position(of: $0.session) == $0.position
        }
        if isCurrent { latest = conversation.feed.latest }
        return isCurrent
    }

    /// The frames, concatenated; the first call encodes them.
    package mutating func frames() -> [UInt8] {
        if let encoded { return encoded }
        var writer = BatchFrameWriter(conversation: key.number, capacity: frameBytes)
        for item in items {
            writer.append(
                item.place,
                proofStart: item.proofStart,
                hops: item.hops,
                position: item.position
            )
        }
        items = []
        let bytes = writer.finish()
        encoded = bytes
        return bytes
    }

    /// Whether a position of the segment must not be sent, as it steps over a change.
    package func isCut(by gaps: FeedGaps) -> Bool {
        !gaps.isEmpty && entries.contains { gaps.contains($0.position) }
    }

    /// Adds the only head of a session, if a segment may hold that head.
    private mutating func add(
        _ session: Int32,
        of sessions: SessionTable,
        at position: UInt64,
        creditMax: Int
    ) -> Bool {
        let index = Int(session)
        // Read in place: a copy of a head costs more than all the rest.
        guard let place = sessions[index].heads[0].place,
            sessions[index].heads[0].position > end, !sessions[index].heads[0].isLost,
            !sessions[index].heads[0].isFetched, sessions[index].heads[0].blobs.isEmpty,
            Int(sessions[index].heads[0].hops) < Limits.hops
        else { return false }
        let bytes = EnvelopeFrame.prefixBytes + sessions[index].heads[0].size
        guard creditBytes + bytes <= creditMax else { return false }
        entries.append(Entry(session: session, position: position))
        items.append(
            Item(
                place: place,
                proofStart: sessions[index].heads[0].proofStart,
                hops: sessions[index].heads[0].hops,
                position: position
            )
        )
        end = position
        creditBytes += bytes
        frameBytes += FrameHeader.count + bytes
        let origin = sessions[index].heads[0].dot.origin
        if origins.last != origin, !origins.contains(origin) { origins.append(origin) }
        note(sessions[index].heads[0].knownTo)
        return true
    }

    private mutating func note(_ knownTo: Few<LinkID>) {
        if entries.count == 1 {
            knownToAll = knownTo
            knownToSome = knownTo
        } else if knownTo != knownToAll || knownToSome.count != knownToAll.count {
            knownToAll.removeAll { !knownTo.contains($0) }
            for link in knownTo where !knownToSome.contains(link) { knownToSome.append(link) }
        }
    }
}
