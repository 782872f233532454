/// An event that a node handles: the only way in which anything reaches the core.
///
/// Large and rare cases are boxed, so that the frequent ones stay small.
package enum NodeInput: Sendable {
    // MARK: Links

    /// The TLS handshake is done; no frame was exchanged yet.
    indirect case linkOpened(OpenedLink)
    /// Plaintext arrived, in order, cut anywhere; without bytes, the turn of earlier bytes came.
    case received(LinkID, Slice)
    /// The kernel has taken everything that was handed over for the link.
    case drained(LinkID)
    /// The peer's machine has not acknowledged all bytes of the link, as `Effects.receipts` asked,
    /// though an acknowledgement takes milliseconds.
    case unacknowledged(LinkID)
    /// The connection has ended.
    case linkClosed(LinkID, String)
    /// A dial failed.
    case dialFailed(DialID, String)

    // MARK: Store

    /// All tickets up to this one are on disk.
    case committed(Ticket)
    /// Commits fail at present and the shell retries them, or they work again.
    case storeBlocked(Bool)
    /// The envelopes of a session that had to be read back.
    case loaded(row: Int64, heads: Few<StoredHead>)
    /// One chunk of a blob, nil if the store does not have it.
    indirect case blobChunkLoaded(BlobChunkRead, Slice?)
    /// A blob was read back, to check it.
    indirect case blobLoaded(BlobID, StoredBlob)
    /// A program asked for a blob, and the store did not give its bytes.
    indirect case blobDoubted(BlobID)

    // MARK: Discovery

    /// An address that may lead to a peer.
    indirect case addressFound(FoundAddress)
    /// A hint that an address is no longer announced.
    case addressLost(String)
    /// Interfaces, addresses or routes changed, or the machine slept.
    case networkChanged

    // MARK: People

    indirect case joined(ConversationRecord)
    case left(conversation: UInt32)
    /// Messages to author, in order; those that come together share a signature.
    case authored([AuthorRequest])
    /// Nobody waits any more for other nodes to have the message of the request.
    case unfollowed(RequestID)
    indirect case pairing(PairingRequest)
    /// Other devices may have links now.
    indirect case gated(DeviceGate)

    /// The moment of `Effects.timer` has come.
    case timer
    /// The node stops: say goodbye on every link.
    case stopping
}

/// The number of a connection, given by the shell, later ones higher, never used twice.
package struct LinkID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (left: LinkID, right: LinkID) -> Bool { left.value < right.value }
}

/// The number of a dial, given by the core.
package struct DialID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (left: DialID, right: DialID) -> Bool { left.value < right.value }
}

/// The number of a commit; they finish in order.
package struct Ticket: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (left: Ticket, right: Ticket) -> Bool { left.value < right.value }
}

/// The number of a request of a person or program, given by the shell.
package struct RequestID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// A connection whose TLS handshake is done.
package struct OpenedLink: Sendable, Equatable {
    package let id: LinkID
    /// The dial that made the connection; nil if the peer dialled.
    package let dial: DialID?
    /// The raw Ed25519 key of the peer's certificate.
    package let peerKey: Bytes32
    /// Keying material of this TLS session, the same on both sides.
    package let exporter: Bytes32
    /// The peer's address as text, for people: as it was dialled, if this node dialled.
    package let address: String
    /// The number to which a name in `address` was resolved.
    package let remote: String

    /// A connection; without `remote`, the address has no name.
    package init(
        id: LinkID,
        dial: DialID?,
        peerKey: Bytes32,
        exporter: Bytes32,
        address: String,
        remote: String? = nil
    ) {
        self.remote = remote ?? address
        self.id = id
        self.dial = dial
        self.peerKey = peerKey
        self.exporter = exporter
        self.address = address
    }
}

/// An address with claims about it, none of which is proved.
package struct FoundAddress: Sendable, Equatable {
    package enum Source: UInt8, Sendable, Comparable {
        /// Told by a peer that shares a conversation.
        case told
        /// Announced on the network.
        case discovered
        /// Worked before.
        case remembered
        /// Given by a person.
        case configured

        package static func < (left: Source, right: Source) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The address that the shell dials; equal text is the same address.
    package let text: String
    package let source: Source
    /// The device that answered there before, if any did.
    package let device: DeviceID?
    /// The first eight bytes of the ID of the device that should answer there, if it is known.
    package let hint: UInt64?
    /// The announced name, for people.
    package let deviceName: String?

    /// An address; the hint follows from the device, if that is known.
    package init(
        text: String,
        source: Source,
        device: DeviceID? = nil,
        hint: UInt64? = nil,
        deviceName: String? = nil
    ) {
        self.text = text
        self.source = source
        self.device = device
        self.hint = device?.hint ?? hint
        self.deviceName = deviceName
    }

    /// Whether an address is link-local, and so of no use to others: the text names an interface.
    static func isLinkLocal(_ text: String) -> Bool { text.contains("%") }
}

/// A message to author.
package struct AuthorRequest: Sendable {
    /// Whether somebody wants to hear how many nodes have a message.
    package enum Following: Sendable {
        case no
        /// Somebody looks at the count, and a few milliseconds do not matter.
        case shown
        /// Somebody waits for the count: peers are asked to confirm the message at once.
        case awaited
    }

    package let request: RequestID
    package let conversation: UInt32
    /// The body without place, blob types and inline picture, which the node fills in.
    package var body: MessageBody
    package let next: [ParticipantID]
    package let isTombstone: Bool
    /// The layout's picture, opened, with its media type.
    package let picture: InlinePicture?
    /// The heads to replace; nil for all heads that this node has.
    package let replacing: [Dot]?
    /// Whether to report how many nodes have the message.
    package let following: Following

    package init(
        request: RequestID,
        conversation: UInt32,
        body: MessageBody,
        next: [ParticipantID] = [],
        isTombstone: Bool = false,
        picture: InlinePicture? = nil,
        replacing: [Dot]? = nil,
        following: Following = .no
    ) {
        self.request = request
        self.conversation = conversation
        self.body = body
        self.next = next
        self.isTombstone = isTombstone
        self.picture = picture
        self.replacing = replacing
        self.following = following
    }
}
