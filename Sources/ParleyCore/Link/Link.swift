/// One connection to one peer, from the end of the TLS handshake on.
package struct Link: Sendable {
    package let id: LinkID
    package let isInitiator: Bool
    package let device: DeviceID
    package let address: String
    /// The peer's address in numbers.
    let remote: String
    let dial: DialID?
    let exporter: Bytes32
    let openedAt: Moment

    package var phase: LinkPhase
    package var hello: Hello?
    private var frames = FrameParser()
    /// The work that its frames caused in this step.
    private var work = 0
    /// Whether bytes arrived in this step, or the turn of those that waited came.
    private var hasTurn = false
    package var liveness: Liveness
    package var duplicate: DuplicateCheck?
    package var membership = Membership()
    /// One for each conversation that both sides have, in the order in which they were found.
    package var replications: [Replication] = []
    private var grant = CreditGrant()
    package var outbox: Outbox
    /// When it last brought an envelope or a chunk of a blob that this node lacked.
    private(set) var broughtNews: Moment?
    /// Devices to which the peer said that it has links, by the first eight bytes of their IDs.
    private(set) var peersLinked: Set<UInt64> = []
    /// Whether this side has said that it does not need the link.
    package var isSpareHere = false
    /// Whether the peer has said that it does not need the link.
    package var isSpareThere = false
    /// Why it ended, once it has.
    package internal(set) var cause: CloseCause?
    /// Origins that the peer introduced while no envelope of them was stored.
    package private(set) var introduced: [IntroducedOrigin] = []

    /// How many devices one peer may claim to be linked to.
    private static let peersLinkedMax = 1_024
    /// Origins that one link may introduce.
    private static let introducedMax = 4_096

    /// A link that waits for the hello of its peer.
    package init(_ opened: OpenedLink, device: DeviceID, outboxCapacity: Int, at now: Moment) {
        id = opened.id
        isInitiator = opened.dial != nil
        self.device = device
        address = opened.address
        remote = opened.remote
        dial = opened.dial
        exporter = opened.exporter
        openedAt = now
        phase = .greeting(deadline: now + LinkPhase.patience)
        liveness = Liveness(at: now)
        outbox = Outbox(capacity: outboxCapacity)
    }

    package var isMember: Bool { phase == .member }

    /// Whether the peer is a member and answers.
    package var isLive: Bool { isMember && !liveness.isSuspect }

    /// Whether an answer of the peer has been due for a second.
    package var isSuspect: Bool { liveness.isSuspect }

    /// The address of the peer without the port.
    var source: String {
        address.lastIndex(of: ":").map { String(address[..<$0]) } ?? address
    }

    /// Conversations that both sides have.
    package var conversations: [UInt32] { replications.map(\.conversation) }

    // MARK: Frames

    /// Bytes arrived.
    package mutating func received(_ bytes: Slice, at now: Moment) {
        liveness.heard(at: now)
        frames.append(bytes)
        hasTurn = true
    }

    /// The next whole frame that arrived; strangers may send only short ones.
    ///
    /// It is nil as well once the work of a turn is used up.
    package mutating func nextFrame() throws(Refusal) -> RawFrame? {
        guard work < workMax else { return nil }
        let bytesMax = isMember ? Limits.frameBytes : Limits.strangerFrameBytes
        do throws(CodecError) {
            return try frames.next(frameBytesMax: bytesMax)
        } catch {
            throw .malformed(error)
        }
    }

    /// Counts work that a frame causes.
    @inline(__always)
    package mutating func charge(_ units: Int) { work += units }

    /// The work of this step, nil if the peer caused none.
    mutating func takeWork() -> LinkWork? {
        guard hasTurn else { return nil }
        hasTurn = false
        defer { work = 0 }
        return LinkWork(link: id, units: work, isUnfinished: work >= workMax)
    }

    private var workMax: Int { isMember ? Work.perMemberTurn : Work.perTurn }

    /// Sends a ping that the peer has to answer.
    package mutating func ping(_ nonce: UInt64, at now: Moment) {
        outbox.append(.ping(nonce))
        liveness.pingSent(at: now)
    }

    /// The peer sent a ping, which is answered at once.
    mutating func answerPing(_ nonce: UInt64) { outbox.append(.pong(nonce)) }

    // MARK: Credit

    /// The peer names the totals of the credit that it gives.
    mutating func granted(_ credit: Credit) throws(Refusal) {
        try outbox.credit.granted(credit)
    }

    /// Counts an envelope that arrived, which has to keep to the credit of the peer.
    @inline(__always)
    mutating func envelopeReceived(bytes: Int) throws(Refusal) {
        guard grant.envelopeReceived(bytes) else {
            throw .overLimit("envelopes beyond the credit")
        }
    }

    /// Does for announced envelopes what `envelopeReceived` does for envelopes.
    mutating func announcementsReceived(_ count: Int) throws(Refusal) {
        guard grant.namesReceived(count) else {
            throw .overLimit("announcements beyond the credit")
        }
    }

    /// Does for chunks of blobs what `envelopeReceived` does for envelopes.
    mutating func blobReceived(bytes: Int) throws(Refusal) {
        guard grant.blobReceived(bytes) else { throw .overLimit("blob bytes beyond the credit") }
    }

    /// An envelope or a chunk of a blob arrived that this node lacked.
    @inline(__always)
    mutating func broughtNews(at now: Moment) { broughtNews = now }

    /// Renews the peer's credit, so that `window` bytes of envelopes may be in flight, and `names`
    /// announced envelopes may be missing here.
    package mutating func renewCredit(window: UInt64, names: Int) {
        let credit = grant.renew(envelopeWindow: window, names: UInt64(names)) {
            replications.reduce(0) { $0 + $1.missingCount }
        }
        if let credit { outbox.append(.credit(credit)) }
    }

    /// Whether the peer may announce no more before something arrives that it announced.
    package var isWindowFull: Bool { grant.areNamesUsedUp }

    // MARK: Replications

    /// The index of the replication of a conversation, if it is shared.
    package func replication(of number: UInt32) -> Int? {
        replications.firstIndex { $0.conversation == number }
    }

    /// The index of the replication that the peer means by its number, or nil if this node has left
    /// the conversation or never matched the tag.
    ///
    /// It is inlined, as the compiler copies a link of a table to call its methods.
    @inline(__always)
    package func replication(ofPeerNumber number: UInt32) throws(Refusal) -> Int? {
        guard Int(number) < membership.peerTagCount else {
            throw .overLimit("a conversation number that was never announced")
        }
        return replications.firstIndex { $0.peerNumber == number }
    }

    // MARK: Devices that the peer is linked to

    /// The peer sent addresses of devices to which it has links.
    package mutating func told(of peers: [PeerAddress]) {
        for peer in peers where peersLinked.count < Self.peersLinkedMax {
            peersLinked.insert(peer.device.hint)
        }
    }

    // MARK: Origins

    /// Notes an origin that the peer introduced and of which no envelope is stored.
    ///
    /// At the limit, origins for which `isUnused` does not hold any more are dropped first.
    package mutating func introduces(
        _ origin: IntroducedOrigin,
        isUnused: (IntroducedOrigin) -> Bool
    ) throws(Refusal) {
        if introduced.count >= Self.introducedMax { introduced = introduced.filter(isUnused) }
        guard introduced.count < Self.introducedMax else {
            throw .overLimit("origins without an envelope")
        }
        introduced.append(origin)
    }
}
