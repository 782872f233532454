/// One change of durable state.
///
/// All writes of one ticket are committed together or not at all, and tickets in their order. What
/// is large and rare is boxed.
package enum StoreWrite: Sendable, Equatable {
    /// This data directory's epoch.
    case epoch(Epoch)
    indirect case conversation(ConversationRecord)
    /// Forget a conversation with everything that belongs to it, its number excepted.
    case conversationLeft(UInt32)
    /// Sequences below `end` may be in use; the next process starts there.
    case sequencesReserved(conversation: UInt32, end: UInt64)
    /// A process started numbering changes after `start`.
    case incarnationStarted(conversation: UInt32, FeedIncarnation)
    /// What was numbered in this data directory before means nothing any more: it is a copy.
    case incarnationsForgotten(conversation: UInt32)
    indirect case origin(conversation: UInt32, OriginID, OriginRecord)
    /// Replaces the row of a session.
    case session(SessionRow)
    /// How far the feed of `peer` is on this disk.
    case cursor(conversation: UInt32, peer: DeviceID, FeedCursor)
    /// One chunk of a blob of which `chunks` will come.
    case blobChunk(BlobID, index: Int, chunks: Int, Slice)
    /// The chunks of a blob are all here and their hash is right.
    case blobCompleted(BlobID)
    case blobDropped(BlobID)
    /// An address at which a device that shares a conversation was reached.
    case address(device: DeviceID, text: String)
    /// What a device that shares a conversation is called: 1 to `Limits.deviceNameBytes` bytes,
    /// instead of what it was called before.
    case deviceName(device: DeviceID, name: String)
}

/// The changes that one process numbered: positions above `start`, up to the next incarnation's
/// start.
package struct FeedIncarnation: Sendable, Hashable {
    /// Random, new with every process.
    package let id: UInt64
    package let start: UInt64

    package init(id: UInt64, start: UInt64) {
        self.id = id
        self.start = start
    }
}

/// A place in somebody's change feed.
package struct FeedCursor: Sendable, Hashable {
    /// The incarnation in which the position was given; 0 before the first contact.
    package let incarnation: UInt64
    package let position: UInt64

    package init(incarnation: UInt64, position: UInt64) {
        self.incarnation = incarnation
        self.position = position
    }

    package static let beginning = FeedCursor(incarnation: 0, position: 0)

    /// Positions lie below this: who claims a higher one lies.
    package static let positionEnd: UInt64 = 1 << 62
}

/// A session as it is stored: one row, replaced whole.
package struct SessionRow: Sendable, Equatable {
    /// The number of the session in this data directory, from 1.
    package let row: Int64
    package let conversation: UInt32
    package let tag: SessionTag
    /// The feed position of the latest change.
    package let position: UInt64
    package let heads: [StoredHead]
    /// What this node has seen replaced, encoded by the transcript; may be empty.
    package let lines: Slice

    package init(
        row: Int64,
        conversation: UInt32,
        tag: SessionTag,
        position: UInt64,
        heads: [StoredHead],
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
    /// Header, body and proof as they were received; nil in a write whose bytes are in the row
    /// already, and never nil in a row that was read.
    package let envelope: Slice?

    package init(dot: Dot, envelope: Slice?) {
        self.dot = dot
        self.envelope = envelope
    }
}
