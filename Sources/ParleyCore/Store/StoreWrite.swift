/// A change of durable state.
///
/// All writes of one ticket are committed together or not at all, and tickets in their order. Large
/// and rare cases are boxed.
package enum StoreWrite: Sendable, Equatable {
    /// The device whose key is in this data directory.
    case device(DeviceID)
    /// This data directory's epoch.
    case epoch(Epoch)
    indirect case conversation(ConversationRecord)
    /// Forgets a conversation and everything in it; only its number stays used.
    case conversationLeft(UInt32)
    /// Sequences below `end` may be in use; the next process starts there.
    case sequencesReserved(conversation: UInt32, end: UInt64)
    /// A process started numbering changes after `start`.
    case incarnationStarted(conversation: UInt32, FeedIncarnation)
    /// The data directory is a copy, in which assigned positions mean nothing.
    case incarnationsForgotten(conversation: UInt32)
    indirect case origin(conversation: UInt32, OriginID, OriginRecord)
    /// The guest at a seat, instead of whoever had it; nil if nobody has it any more.
    indirect case seat(conversation: UInt32, SeatNumber, GuestSeat?)
    /// A record about the members of a conversation; nil if it is to be forgotten.
    indirect case member(conversation: UInt32, MemberRecord, Slice?)
    /// Replaces the row of a session.
    case session(SessionRow)
    /// The position up to which the feed of `peer` is on this disk.
    case cursor(conversation: UInt32, peer: DeviceID, FeedCursor)
    /// One chunk of a blob that has `chunks` chunks in all.
    case blobChunk(BlobID, index: Int, chunks: Int, Slice)
    /// All chunks of a blob are on disk, and their hash is right.
    case blobCompleted(BlobID)
    /// Chunks of a blob are damaged on disk: they are deleted, and the blob is incomplete.
    case blobChunksDropped(BlobID, [Int])
    case blobDropped(BlobID)
    /// An address that led to a device with a shared conversation.
    case address(device: DeviceID, text: String)
    /// The new name of a device with a shared conversation: 1 to `Limits.deviceNameBytes` bytes.
    case deviceName(device: DeviceID, name: String)
}

/// A session in the store: one row, replaced whole.
package struct SessionRow: Sendable, Equatable {
    /// The number of the session in this data directory, from 1.
    package let row: Int64
    package let conversation: UInt32
    package let tag: SessionTag
    /// The feed position of the latest change.
    package let position: UInt64
    package let heads: Few<StoredHead>
    /// The encoded lines that replaced messages left on this node; may be empty.
    package let lines: Slice
    /// The encoded turn game of the session; nil for other sessions.
    package let match: [UInt8]?

    /// A row of any heads, which are copied.
    package init(
        row: Int64,
        conversation: UInt32,
        tag: SessionTag,
        position: UInt64,
        heads: some Sequence<StoredHead>,
        lines: Slice,
        match: [UInt8]? = nil
    ) {
        self.init(
            row: row,
            conversation: conversation,
            tag: tag,
            position: position,
            heads: Few(heads),
            lines: lines,
            match: match
        )
    }

    /// A row of these heads.
    package init(
        row: Int64,
        conversation: UInt32,
        tag: SessionTag,
        position: UInt64,
        heads: Few<StoredHead>,
        lines: Slice,
        match: [UInt8]? = nil
    ) {
        self.row = row
        self.conversation = conversation
        self.tag = tag
        self.position = position
        self.heads = heads
        self.lines = lines
        self.match = match
    }
}

/// A head of a stored session.
package struct StoredHead: Sendable {
    package let dot: Dot
    /// Where header, body and proof are, as received; nil only in a write, if the row has the
    /// envelope already.
    package let place: EnvelopePlace?

    /// A head with the place of its envelope.
    package init(dot: Dot, place: EnvelopePlace?) {
        self.dot = dot
        self.place = place
    }

    /// A head with its encoded envelope.
    package init(dot: Dot, envelope: Slice?) {
        self.init(dot: dot, place: envelope.map { .whole($0) })
    }

    /// The encoded envelope.
    package var envelope: Slice? { place?.bytes }
}

extension StoredHead: Equatable {
    package static func == (left: StoredHead, right: StoredHead) -> Bool {
        left.dot == right.dot && left.envelope == right.envelope
    }
}
