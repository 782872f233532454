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
    /// A guest takes a seat, instead of whoever had it, or gets another name; nil if the guest
    /// loses the seat and the key.
    indirect case seated(conversation: UInt32, SeatNumber, GuestSeat?)
    case left(conversation: UInt32)
    /// Messages to author, in order; those that come together share a signature.
    case authored([AuthorRequest])
    /// A signal is to be sent to the members.
    case signalled(SignalRequest)
    /// Nobody waits any more for other nodes to have the message of the request.
    case unfollowed(RequestID)
    indirect case pairing(PairingRequest)
    /// An invite that ends was made or changed, at a time of the clock.
    indirect case invited(conversation: UInt32, EndingInvite, NodeClock)
    /// A person of this node knocks at the door of another one.
    indirect case knock(KnockRequests.Door)
    /// The device belongs to a person from now on, or to nobody known.
    indirect case owned(Person?)
    /// A person wants other keys, and perhaps devices out.
    indirect case rotated(RotationRequest)
    /// The time for which `Effects.asksForClock` asked.
    case clocked(NodeClock)
    /// Other devices may have links now.
    indirect case gated(DeviceGate)

    /// The moment of `Effects.timer` has come.
    case timer
    /// The node stops: say goodbye on every link.
    case stopping
}
