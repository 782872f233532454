/// A message from one node to another: the frames of `docs/protocol.md`.
///
/// On the wire: `u24 length · u8 type · body`, with the length of the body. A body is one item of
/// deterministic CBOR, a map with the keys of that document. Only the body of an envelope differs.
package enum Frame: Sendable, Equatable {
    case hello(Hello)
    case goodbye(Goodbye)
    case conversations(ConversationTags)
    case envelope(EnvelopeFrame)
    case stored(Stored)
    case feed(FeedRequest)
    case have(HaveList)
    case want(WantList)
    case blobWant(BlobWant)
    case blobChunk(BlobChunk)
    case audit(Audit)
    case credit(Credit)
    case ping(UInt64)
    case pong(UInt64)
    case peers(PeerAddresses)
    case pairing(PairingFrame)
    case origin(OriginFrame)
    /// Whether the sender does not need the link.
    case spare(Bool)
    case signal(SignalFrame)
    case members(MembersFrame)
    case receipts(ReceiptsFrame)
    case knock(KnockFrame)
}

extension Frame {
    /// The sender's number of the conversation that the frame concerns, or nil.
    package var conversation: UInt32? {
        switch self {
        case .envelope(let frame): frame.conversation
        case .origin(let frame): frame.conversation
        case .stored(let stored): stored.conversation
        case .feed(let request): request.conversation
        case .have(let list): list.conversation
        case .want(let list): list.conversation
        case .blobWant(let want): want.conversation
        case .blobChunk(let chunk): chunk.conversation
        case .audit(let audit): audit.conversation
        case .peers(let peers): peers.conversation
        case .signal(let signal): signal.conversation
        case .members(let members): members.conversation
        case .receipts(let receipts): receipts.conversation
        case .hello, .goodbye, .conversations, .credit, .ping, .pong, .pairing, .spare, .knock:
            nil
        }
    }
}

/// The type of a frame; a node may ignore an unknown even type.
package enum FrameType: UInt8, Sendable, CaseIterable {
    case hello = 1
    case goodbye = 3
    case conversations = 5
    case envelope = 7
    case stored = 9
    case feed = 11
    case have = 13
    case want = 15
    case blobWant = 17
    case blobChunk = 19
    case audit = 21
    case credit = 23
    case ping = 25
    case pong = 27
    case peers = 29
    case pairing = 31
    case origin = 33
    case spare = 36
    case members = 37
    case receipts = 38
    case signal = 40
    case knock = 42
}

/// The first frame of each side, frozen for ever, and sent even by a side that will refuse the
/// link.
package struct Hello: Sendable, Equatable {
    package static let magic = "parley"

    /// Wire versions that the sender speaks, lowest and highest.
    package var wireVersions: ClosedRange<UInt64>
    /// Name and version of the software, at most 64 bytes.
    package var software: String
    /// The name that people gave the device, at most 64 bytes.
    package var deviceName: String
    /// A random number, new with every process.
    package var processNonce: UInt64
    /// A bit for each optional feature.
    package var features: UInt64

    /// The feature bit of nodes that know `pairing` frames.
    package static let pairing: UInt64 = 1
    /// The feature of pairing the devices of one person.
    package static let persons: UInt64 = 2

    package init(
        wireVersions: ClosedRange<UInt64>,
        software: String,
        deviceName: String,
        processNonce: UInt64,
        features: UInt64 = 0
    ) {
        self.wireVersions = wireVersions
        self.software = software
        self.deviceName = deviceName
        self.processNonce = processNonce
        self.features = features
    }
}

/// The last frame of a link, with the reason for the end.
package struct Goodbye: Sendable, Equatable {
    package var reason: GoodbyeReason
    /// A text for people, at most 256 bytes.
    package var text: String

    package init(reason: GoodbyeReason, text: String = "") {
        self.reason = reason
        self.text = text
    }
}

/// The reason for the deliberate end of a link.
///
/// An unknown number reads as `other`.
package enum GoodbyeReason: UInt64, Sendable, CaseIterable {
    case other = 0
    /// The node stops.
    case stopping = 1
    /// No wire version is common to both.
    case incompatible = 2
    /// No conversation is common to both.
    case nothingShared = 3
    /// Another link to the same node is kept.
    case duplicate = 4
    /// The peer sent bytes that do not follow this protocol.
    case malformed = 5
    /// The peer exceeded a limit of the protocol.
    case overLimit = 6
    /// The peer was silent for too long.
    case silent = 7
    /// The peer left the shared conversation.
    case left = 8
    /// All link slots of the node are taken.
    case busy = 9
    /// The link leads back to the node itself.
    case selfLink = 10
    /// A proof, certificate or hash did not hold.
    case forged = 11
    /// Neither side needs the link.
    case spare = 12
    /// The peer was thrown out of the shared conversation.
    case removed = 13
}

/// Proofs of membership, one for each conversation of the sender, hidden among random tags.
///
/// The index of a tag, counted over all such frames of a link, is the sender's number of the
/// conversation.
package struct ConversationTags: Sendable, Equatable {
    /// The tags; their number is a multiple of `Limits.conversationGroup`.
    package var tags: [Bytes16]

    package init(tags: [Bytes16]) {
        self.tags = tags
    }
}

/// An envelope on a link.
package struct EnvelopeFrame: Sendable, Equatable {
    /// Bytes of the prefix: `u32 conversation · u8 hops · 3 zero bytes · u64 feed position`.
    package static let prefixBytes = 16

    /// The sender's number of the conversation.
    package var conversation: UInt32
    package var hops: UInt8
    /// Whether the receiver confirms the position as soon as everything up to it is on disk.
    package var isAwaited: Bool
    /// The sender's feed has been pushed or announced up to this position; 0 says nothing.
    package var position: UInt64
    /// Header, body and proof.
    package var envelope: Slice

    package init(
        conversation: UInt32,
        hops: UInt8,
        position: UInt64,
        isAwaited: Bool = false,
        envelope: Slice
    ) {
        self.conversation = conversation
        self.hops = hops
        self.position = position
        self.isAwaited = isAwaited
        self.envelope = envelope
    }
}

/// Says "your feed is on my disk up to this position".
package struct Stored: Sendable, Equatable {
    package var conversation: UInt32
    package var position: UInt64
    /// The store only takes replacements; positions do not advance until it has capacity.
    package var isFull: Bool

    package init(conversation: UInt32, position: UInt64, isFull: Bool = false) {
        self.conversation = conversation
        self.position = position
        self.isFull = isFull
    }
}

/// Says "send the changes since the cursor, and here is my incarnation".
package struct FeedRequest: Sendable, Equatable {
    package var conversation: UInt32
    /// The receiver's incarnation and position on the sender's disk.
    package var since: FeedCursor
    /// The sender's present incarnation.
    package var ownIncarnation: UInt64
    /// The sender's latest position at the time of sending: later changes are live.
    package var ownPosition: UInt64

    package init(
        conversation: UInt32,
        since: FeedCursor,
        ownIncarnation: UInt64,
        ownPosition: UInt64
    ) {
        self.conversation = conversation
        self.since = since
        self.ownIncarnation = ownIncarnation
        self.ownPosition = ownPosition
    }
}

/// Says "I have these envelopes": 1 to `Limits.haveEntries`.
package struct HaveList: Sendable, Equatable {
    package var conversation: UInt32
    package var entries: [HaveEntry]

    package init(conversation: UInt32, entries: [HaveEntry]) {
        self.conversation = conversation
        self.entries = entries
    }
}

/// A head that the sender has or wants.
package struct HaveEntry: Sendable, Equatable {
    /// The position as in `EnvelopeFrame`.
    package var position: UInt64
    /// Whether to confirm the position, as in `EnvelopeFrame`.
    package var isAwaited: Bool
    package var tag: SessionTag
    /// The dot of the envelope; the sequence 0 means no envelope, and only the position counts.
    package var dot: Dot
    /// The revision of the envelope, which tells the receiver whether a head dominates the
    /// envelope.
    ///
    /// In a `have` frame, 0 answers a want: the envelope is not found any more.
    package var revision: UInt64
    /// The first eight bytes of the envelope's digest.
    package var digestPrefix: UInt64

    package init(
        position: UInt64,
        isAwaited: Bool = false,
        tag: SessionTag,
        dot: Dot,
        revision: UInt64,
        digestPrefix: UInt64
    ) {
        self.position = position
        self.isAwaited = isAwaited
        self.tag = tag
        self.dot = dot
        self.revision = revision
        self.digestPrefix = digestPrefix
    }
}

/// Says "send me these envelopes": entries as they were announced, 1 to `Limits.haveEntries`.
package struct WantList: Sendable, Equatable {
    package var conversation: UInt32
    package var entries: [HaveEntry]

    package init(conversation: UInt32, entries: [HaveEntry]) {
        self.conversation = conversation
        self.entries = entries
    }
}

/// Says "send me these chunks of this blob".
package struct BlobWant: Sendable, Equatable {
    package var conversation: UInt32
    package var blob: BlobID
    /// Indices of chunks: 1 to 64, ascending.
    package var chunks: [UInt64]

    package init(conversation: UInt32, blob: BlobID, chunks: [UInt64]) {
        self.conversation = conversation
        self.blob = blob
        self.chunks = chunks
    }
}

/// A chunk of a blob, or the answer that the chunk or the blob is not here.
package struct BlobChunk: Sendable, Equatable {
    package var conversation: UInt32
    package var blob: BlobID
    package var index: UInt64
    /// At most `Limits.blobChunkBytes`; empty if the chunk, or for index 0 the blob, is not here.
    package var bytes: Slice

    package init(conversation: UInt32, blob: BlobID, index: UInt64, bytes: Slice) {
        self.conversation = conversation
        self.blob = blob
        self.index = index
        self.bytes = bytes
    }
}

/// Sums over the digests of all heads, which show whether two stores agree.
package struct Audit: Sendable, Equatable {
    package static let buckets = 256

    package var conversation: UInt32
    /// The sender's position at the time of the sums, and the highest position of the receiver's
    /// feed.
    package var ownPosition: UInt64
    package var peerPosition: UInt64
    /// The sum of digests' first eight bytes, mod 2^64, for each first byte of a session tag.
    package var sums: [UInt64]

    package init(conversation: UInt32, ownPosition: UInt64, peerPosition: UInt64, sums: [UInt64]) {
        self.conversation = conversation
        self.ownPosition = ownPosition
        self.peerPosition = peerPosition
        self.sums = sums
    }
}

/// How much the receiver of the frame may send, as totals since the link began.
package struct Credit: Sendable, Equatable {
    /// For bodies of `envelope` frames, in bytes.
    package var envelopeBytes: UInt64
    /// For contents of `blobChunk` frames, in bytes.
    package var blobBytes: UInt64
    /// For entries of `have` frames that announce an envelope.
    package var names: UInt64

    package init(envelopeBytes: UInt64, blobBytes: UInt64, names: UInt64) {
        self.envelopeBytes = envelopeBytes
        self.blobBytes = blobBytes
        self.names = names
    }
}

/// Addresses of devices in the conversation that both sides share; none is link-local.
package struct PeerAddresses: Sendable, Equatable {
    package var conversation: UInt32
    /// The addresses, 1 to 64 of them.
    package var peers: [PeerAddress]

    package init(conversation: UInt32, peers: [PeerAddress]) {
        self.conversation = conversation
        self.peers = peers
    }
}

/// A device and an address that led to it: `HOST:PORT` or `[HOST]:PORT`, at most 64 bytes.
package struct PeerAddress: Sendable, Equatable {
    package var device: DeviceID
    package var address: String

    package init(device: DeviceID, address: String) {
        self.device = device
        self.address = address
    }
}

/// The record of an origin, sent before its first envelope on a link.
package struct OriginFrame: Sendable, Equatable {
    package var conversation: UInt32
    package var record: OriginRecord

    package init(conversation: UInt32, record: OriginRecord) {
        self.conversation = conversation
        self.record = record
    }
}
