/// The next part of a feed for every link that has come just as far: envelopes that are pushed one
/// by one, encoded once.
///
/// Only what every link without a reason of its own gets alike is in it: sessions with one head,
/// in memory, without pictures, not too far from home, on disk if it is of this node.
package struct EncodedSegment: Sendable {
    /// Which part of which feed it is.
    package struct Key: Hashable, Sendable {
        package let conversation: UInt32
        /// The conversation's number in frames of this side.
        package let number: UInt32
        /// The segment has what comes after this position.
        package let start: UInt64

        package init(conversation: UInt32, number: UInt32, start: UInt64) {
            self.conversation = conversation
            self.number = number
            self.start = start
        }
    }

    /// One envelope of it.
    package struct Entry: Sendable {
        package let session: Int32
        package let envelope: Slice
        package let hops: UInt8
        package let position: UInt64
    }

    private let number: UInt32
    package private(set) var entries: [Entry] = []
    private var encoded: [UInt8]?
    /// The position of the last envelope.
    package private(set) var end: UInt64
    /// What the frames take, and what they take of the credit, in bytes.
    package private(set) var frameBytes = 0
    package private(set) var creditBytes = 0
    /// Who wrote the envelopes.
    package private(set) var origins: [OriginID] = []
    /// Links whose other side has some of them, and those that have all.
    package private(set) var knownToSome: [LinkID] = []
    package private(set) var knownToAll: [LinkID] = []

    package var count: Int { entries.count }

    /// The envelopes of `conversation` from `key` on, as many as fit into `bytesMax`, and one that
    /// does not.
    package init(
        _ key: Key,
        of conversation: Conversation,
        committed: Ticket,
        bytesMax: Int
    ) {
        number = key.number
        end = key.start
        conversation.feed.forEach(after: key.start) { position, session in
            guard frameBytes < bytesMax,
                conversation.sessions[Int(session)].heads.count == 1,
                conversation.sessions[Int(session)].heads[0].sentAfter <= committed
            else { return false }
            return add(session, of: conversation.sessions, at: position)
        }
    }

    /// The frames, one after the other.
    package mutating func frames() -> [UInt8] {
        if let encoded { return encoded }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frameBytes)
        for entry in entries {
            EnvelopeFrame.appendPrefix(
                to: &bytes,
                conversation: number,
                hops: entry.hops,
                position: entry.position,
                envelopeCount: entry.envelope.count
            )
            entry.envelope.append(to: &bytes)
        }
        encoded = bytes
        return bytes
    }

    /// Whether a position of it must not be told.
    package func isCut(by gaps: FeedGaps) -> Bool {
        !gaps.isEmpty && entries.contains { gaps.contains($0.position) }
    }

    /// Adds the one head of a session, if every link may get it.
    private mutating func add(
        _ session: Int32,
        of sessions: [SessionState],
        at position: UInt64
    ) -> Bool {
        let index = Int(session)
        // Read in place: a copy of a head costs more than all the rest.
        guard let envelope = sessions[index].heads[0].envelope,
            sessions[index].heads[0].position > end, !sessions[index].heads[0].isLost,
            sessions[index].heads[0].blobs.isEmpty,
            Int(sessions[index].heads[0].hops) < Limits.hops
        else { return false }
        let hops = sessions[index].heads[0].hops
        entries.append(
            Entry(session: session, envelope: envelope, hops: hops, position: position)
        )
        end = position
        creditBytes += EnvelopeFrame.prefixBytes + envelope.count
        frameBytes += FrameHeader.count + EnvelopeFrame.prefixBytes + envelope.count
        let origin = sessions[index].heads[0].dot.origin
        if origins.last != origin, !origins.contains(origin) { origins.append(origin) }
        note(sessions[index].heads[0].knownTo)
        return true
    }

    private mutating func note(_ knownTo: [LinkID]) {
        if entries.count == 1 {
            knownToAll = knownTo
            knownToSome = knownTo
        } else if knownTo != knownToAll || knownToSome.count != knownToAll.count {
            knownToAll.removeAll { !knownTo.contains($0) }
            for link in knownTo where !knownToSome.contains(link) { knownToSome.append(link) }
        }
    }
}
