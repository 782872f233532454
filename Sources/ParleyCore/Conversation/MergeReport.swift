/// A checked envelope that is to be merged into its session.
package struct Arrival: Sendable {
    package let envelope: Envelope
    package let head: Head
    /// The number of links that it crossed to get here.
    package let hops: UInt8
    /// The link on which it arrived; nil if this node wrote it.
    package let source: LinkID?
    /// The number of its session, if that was looked up and is known.
    let session: Int32?
    /// Whether a signature was checked for it.
    let wasVerified: Bool

    package init(
        envelope: Envelope,
        head: Head,
        hops: UInt8,
        source: LinkID?,
        session: Int32? = nil,
        wasVerified: Bool = false
    ) {
        self.session = session
        self.wasVerified = wasVerified
        self.envelope = envelope
        self.head = head
        self.hops = hops
        self.source = source
    }
}

/// The result of merging an envelope into a conversation.
package struct MergeReport: Sendable, Equatable {
    package enum Result: Sendable, Equatable {
        /// The heads of the session changed.
        case changed
        /// The envelope was a head already.
        case known
        /// Other heads dominate it, higher heads fill the session, or another head has its dot.
        case obsolete
        /// There is no capacity for it now.
        case held
    }

    package var result: Result
    /// The limit for which the envelope was left out, if that is to be told.
    package var shortage: Shortage?
    /// The device that wrote the envelope, if it was a head already.
    package var author: DeviceID?
    /// Whether another envelope has the dot of this one.
    package var isEquivocation = false
    /// Whether another process writes under this device's origin: the data directory was copied.
    package var meetsCopy = false
    /// The author, if the messages that this one replaces name others as the next to write.
    package var outOfTurn: ParticipantID?
    /// Whether this is the first envelope of its origin, so that the origin is to be written too.
    package var isFirstOfOrigin = false
    /// Blobs that the replaced heads listed, and blobs that the new head lists.
    package var unlisted: [BlobReference] = []
    package var listed: [BlobReference] = []
    /// The lowest head, if it was dropped because there were too many.
    package var dropped: DroppedHead?
    /// Whether the session shows this message now, to people who may read it.
    package var isShown = false
    /// The heads, if there are or were several.
    package var conflict: [Dot]?
    /// The session, if its row is to be written at the end of this step and was not before.
    package var changedSession: Int32?
    /// The envelopes that no peer is asked for any more: this one, and what the heads dominate.
    package var settled: [EnvelopeName] = []

    package init(_ result: Result) {
        self.result = result
    }
}

extension MergeReport {
    /// Reports the merge to people: a part at once, the rest when the envelope is on disk.
    package func deliver(
        of arrival: Arrival,
        conversation: UInt32,
        tickets: inout Commits,
        into step: inout Step
    ) {
        let tag = arrival.envelope.header.tag
        let dot = arrival.head.dot
        if isEquivocation {
            step.deliver(.equivocation(conversation: conversation, tag: tag, dot))
        }
        if let outOfTurn {
            tickets.afterNext(
                .outOfTurn(conversation: conversation, tag: tag, dot, by: outOfTurn)
            )
        }
        if let shortage { step.deliver(.full(conversation: conversation, shortage)) }
        if let dropped {
            step.deliver(.headDropped(conversation: conversation, tag: tag, dropped.dot))
        }
        if isShown {
            let shown = ShownMessage(conversation: conversation, tag: tag, dot: dot)
            tickets.afterNext(.shown(shown))
        }
        if let conflict {
            let heads = SessionConflict(conversation: conversation, tag: tag, heads: conflict)
            tickets.afterNext(.conflict(heads))
        }
    }
}

/// A head that was dropped because there were too many.
package struct DroppedHead: Sendable, Equatable {
    package let dot: Dot
    /// The blobs that it listed; empty if it was never a head here.
    package let blobs: [BlobReference]

    package init(dot: Dot, blobs: [BlobReference]) {
        self.dot = dot
        self.blobs = blobs
    }
}
