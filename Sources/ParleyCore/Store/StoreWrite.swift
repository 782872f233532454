/// One change of durable state.
///
/// All writes of one ticket are committed together or not at all, and tickets in their order. Large
/// and rare cases are boxed.
package enum StoreWrite: Sendable, Equatable {
    /// The device whose key this data directory has.
    case device(DeviceID)
    /// This data directory's epoch.
    case epoch(Epoch)
    indirect case conversation(ConversationRecord)
    /// Forgets a conversation with everything that belongs to it, except that its number is used.
    case conversationLeft(UInt32)
    /// Sequences below `end` may be in use; the next process starts there.
    case sequencesReserved(conversation: UInt32, end: UInt64)
    /// A process started numbering changes after `start`.
    case incarnationStarted(conversation: UInt32, FeedIncarnation)
    /// The data directory is a copy, so the positions that were assigned in it mean nothing any
    /// more.
    case incarnationsForgotten(conversation: UInt32)
    indirect case origin(conversation: UInt32, OriginID, OriginRecord)
    /// Replaces the row of a session.
    case session(SessionRow)
    /// The position up to which the feed of `peer` is on this disk.
    case cursor(conversation: UInt32, peer: DeviceID, FeedCursor)
    /// One chunk of a blob that has `chunks` chunks in all.
    case blobChunk(BlobID, index: Int, chunks: Int, Slice)
    /// All chunks of a blob are on disk, and their hash is right.
    case blobCompleted(BlobID)
    /// These chunks of a blob are damaged on disk: they are deleted, and the blob is incomplete.
    case blobChunksDropped(BlobID, [Int])
    case blobDropped(BlobID)
    /// An address at which a device that shares a conversation was reached.
    case address(device: DeviceID, text: String)
    /// The new name of a device that shares a conversation: 1 to `Limits.deviceNameBytes` bytes.
    case deviceName(device: DeviceID, name: String)
}

/// The changes that one process numbered: positions above `start`, up to the next incarnation's
/// start.
package struct FeedIncarnation: Sendable, Hashable {
    /// A random number, new with every process.
    package let id: UInt64
    package let start: UInt64

    package init(id: UInt64, start: UInt64) {
        self.id = id
        self.start = start
    }
}

/// A position in a peer's change feed.
package struct FeedCursor: Sendable, Hashable {
    /// The incarnation that assigned the position; 0 before the first contact.
    package let incarnation: UInt64
    package let position: UInt64

    package init(incarnation: UInt64, position: UInt64) {
        self.incarnation = incarnation
        self.position = position
    }

    package static let beginning = FeedCursor(incarnation: 0, position: 0)

    /// All positions are below this; a peer that claims a higher one broke the protocol.
    package static let positionEnd: UInt64 = 1 << 62

    /// Refuses a position that no node can have reached.
    static func check(position: UInt64) throws(Refusal) {
        guard position < positionEnd else {
            throw .overLimit("a feed position that nobody reaches")
        }
    }
}

/// A session as it is stored: one row, replaced whole.
package struct SessionRow: Sendable, Equatable {
    /// The number of the session in this data directory, from 1.
    package let row: Int64
    package let conversation: UInt32
    package let tag: SessionTag
    /// The feed position of the latest change.
    package let position: UInt64
    package let heads: Few<StoredHead>
    /// The lines that replaced messages left on this node, encoded; may be empty.
    package let lines: Slice

    /// A row of any heads, which are copied.
    package init(
        row: Int64,
        conversation: UInt32,
        tag: SessionTag,
        position: UInt64,
        heads: some Sequence<StoredHead>,
        lines: Slice
    ) {
        self.init(
            row: row,
            conversation: conversation,
            tag: tag,
            position: position,
            heads: Few(heads),
            lines: lines
        )
    }

    /// A row of these heads.
    package init(
        row: Int64,
        conversation: UInt32,
        tag: SessionTag,
        position: UInt64,
        heads: Few<StoredHead>,
        lines: Slice
    ) {
        self.row = row
        self.conversation = conversation
        self.tag = tag
        self.position = position
        self.heads = heads
        self.lines = lines
    }
}

/// One head of a stored session.
package struct StoredHead: Sendable, Equatable {
    package let dot: Dot
    /// Header, body and proof as they were received.
    ///
    /// In a write, nil means that the row has the bytes already; in a row that was read it is never
    /// nil.
    package let envelope: Slice?

    package init(dot: Dot, envelope: Slice?) {
        self.dot = dot
        self.envelope = envelope
    }
}
