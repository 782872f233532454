/// A checked envelope to merge into its session.
package struct Arrival: Sendable {
    package let items: EnvelopeItems
    package let place: EnvelopePlace
    /// The size of the encoded envelope in bytes.
    package let size: Int
    package let head: Head
    /// The number of links that the envelope has crossed.
    package let hops: UInt8
    /// The link that brought the envelope; nil for an envelope of this node.
    package let source: LinkID?
    /// The number of the session, if looked up and known.
    let session: Int32?
    /// Whether a signature was checked for the envelope.
    let wasVerified: Bool

    /// An envelope of this node, or of a peer that sent it by itself.
    package init(
        envelope: Envelope,
        head: Head,
        hops: UInt8,
        source: LinkID?,
        session: Int32? = nil
    ) {
        items = envelope.items
        place = .whole(envelope.bytes)
        size = envelope.bytes.count
        self.head = head
        self.hops = hops
        self.source = source
        self.session = session
        wasVerified = false
    }

    /// An envelope of a peer's frame.
    init(
        _ received: ReceivedEnvelope,
        _ head: Head,
        source: LinkID,
        session: Int32?,
        wasVerified: Bool
    ) {
        items = received.items
        place = received.place
        size = received.size
        self.head = head
        hops = ReceivedEnvelope.hopsHere(received.hops)
        self.source = source
        self.session = session
        self.wasVerified = wasVerified
    }

    /// The header of the envelope.
    package var header: EnvelopeHeader { items.header }

    /// The name of the envelope in announcements and wants.
    package var name: EnvelopeName {
        EnvelopeName(
            tag: items.header.tag,
            dot: head.dot,
            digestPrefix: head.digest.words.0
        )
    }
}

/// The state of the node that affects the merging of an envelope.
package struct MergeTerms: Sendable {
    /// The commit that will write the change.
    package let ticket: Ticket
    /// Whether new sessions may be stored now.
    package let mayGrow: Bool
    /// The amounts kept of all conversations together.
    package let totals: KeptTotals
    /// The links that exist, ascending.
    package let openLinks: [LinkID]

    package init(
        ticket: Ticket,
        mayGrow: Bool,
        totals: KeptTotals = KeptTotals(),
        openLinks: [LinkID]
    ) {
        self.ticket = ticket
        self.mayGrow = mayGrow
        self.totals = totals
        self.openLinks = openLinks
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
        /// There is no capacity for the envelope now.
        case held
    }

    package var result: Result
    /// The limit for which the envelope was left out, if that is to be reported.
    package var shortage: Shortage?
    /// Whether the envelope was left out, as the first of its author since there was capacity.
    var isAuthorNewlyLeftOut = false
    /// The device that wrote the envelope, if it was a head already.
    package var author: DeviceID?
    /// Whether another envelope has the same dot.
    package var isEquivocation = false
    /// Whether another process writes under this device's origin: the data directory was copied.
    package var meetsCopy = false
    /// The author, if a replaced message names only others as next.
    package var outOfTurn: ParticipantID?
    /// Whether the origin of the envelope is new, so that its record has to be written.
    package var isFirstOfOrigin = false
    /// Blobs of the replaced heads, and blobs of the new head.
    package var unlisted: [BlobReference] = []
    package var listed: [BlobReference] = []
    /// The lowest head, if it was dropped because there were too many.
    package var dropped: DroppedHead?
    /// Whether the envelope has become the shown message, on a node that can read.
    package var isShown = false
    /// The heads, if there are or were several.
    package var conflict: [Dot]?
    /// The session, if its row became due for writing at the end of this step.
    package var changedSession: Int32?
    /// The envelopes no longer wanted: the merged envelope, and those that heads dominate.
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
        let tag = arrival.header.tag
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
    /// The blobs that the head listed; empty if it was never kept here.
    package let blobs: [BlobReference]

    package init(dot: Dot, blobs: [BlobReference]) {
        self.dot = dot
        self.blobs = blobs
    }
}
