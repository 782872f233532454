/// One connection to one peer, from the end of the TLS handshake on.
package struct Link: Sendable {
    package let id: LinkID
    package let isInitiator: Bool
    package let device: DeviceID
    /// The raw Ed25519 key of the device.
    let peerKey: Bytes32
    package let address: String
    /// The peer's address in numbers.
    let remote: String
    let dial: DialID?
    let exporter: Bytes32
    let openedAt: Moment

    package var phase: LinkPhase
    package var hello: Hello?
    private var frames = FrameParser()
    /// The work that the peer's frames caused in this step; nil unless new bytes arrived, or
    /// waiting bytes had their turn.
    private var work: Int?
    package var liveness: Liveness
    package var duplicate: DuplicateCheck?
    package var membership = Membership()
    /// The shared conversations, in the order in which they were found.
    package var replications: [Replication] = []
    private var grant = CreditGrant()
    package var outbox: Outbox
    /// When the link last brought a new envelope or blob chunk.
    private(set) var broughtNews: Moment?
    /// Devices to which the peer claims to have links, by the first eight bytes of the IDs.
    private(set) var peersLinked: Set<UInt64> = []
    /// Which sides have said that the link is spare.
    package var isSpare = (here: false, there: false)
    /// Why the link ended; nil before.
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
        peerKey = opened.peerKey
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

    /// The address that was dialled, if nothing is shared there.
    package var unsharedAddress: String? { isInitiator && replications.isEmpty ? address : nil }

    /// Conversations that both sides have.
    package var conversations: [UInt32] { replications.map(\.conversation) }

    // MARK: Frames

    /// Bytes arrived.
    package mutating func received(_ bytes: Slice, at now: Moment) {
        liveness.heard(at: now)
        frames.append(bytes)
        work = work ?? 0
    }

    /// The next whole frame; nil if none has arrived, or the work of a turn is used up.
    ///
    /// Strangers may send only short frames.
    package mutating func nextFrame() throws(Refusal) -> RawFrame? {
        guard !isWorkUsedUp else { return nil }
        let bytesMax = isMember ? Limits.frameBytes : Limits.strangerFrameBytes
        do throws(CodecError) {
            return try frames.nextWhole(frameBytesMax: bytesMax)
        } catch {
            throw .malformed(error)
        }
    }

    /// Keeps the rest of a batch frame for the next turn, if the work of this one is used up.
    mutating func keepRest(of envelopes: FrameEnvelopes) {
        if isWorkUsedUp, let rest = envelopes.rest { frames.putBack(rest) }
    }

    /// Counts work that a frame causes.
    @inline(__always)
    package mutating func charge(_ units: Int) { work? += units }

    /// Hands over the gathered bytes, asks for `drained` where necessary, and reports the work that
    /// the peer caused in this step.
    mutating func handOver(into step: inout Step) {
        if let work {
            let link = LinkWork(link: id, units: work, isUnfinished: work >= workMax)
            step.effects.work.append(link)
            self.work = nil
        }
        for bytes in outbox.take() {
            step.effects.sends.append(LinkSend(link: id, bytes: bytes))
        }
        if outbox.asksForDrain(limit: outbox.capacity) { step.effects.drains.append(id) }
    }

    /// Whether the work of a turn is used up.
    var isWorkUsedUp: Bool { work ?? 0 >= workMax }

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

    /// Counts an arrived envelope against the peer's credit.
    @inline(__always)
    mutating func envelopeReceived(bytes: Int) throws(Refusal) {
        guard grant.envelopeReceived(bytes) else {
            throw .overLimit("envelopes beyond the credit")
        }
    }

    /// The bytes of envelopes for which the peer has credit.
    var envelopeCreditLeft: UInt64 { grant.envelopesLeft }

    /// Counts a run of envelopes within that credit.
    @inline(__always)
    mutating func received(_ run: UsualRun, at now: Moment) {
        _ = grant.envelopeReceived(run.creditBytes)
        broughtNews(at: now)
    }

    /// Counts announced envelopes against the peer's credit.
    mutating func announcementsReceived(_ count: Int) throws(Refusal) {
        guard grant.namesReceived(count) else {
            throw .overLimit("announcements beyond the credit")
        }
    }

    /// Counts blob bytes against the peer's credit.
    mutating func blobReceived(bytes: Int) throws(Refusal) {
        guard grant.blobReceived(bytes) else { throw .overLimit("blob bytes beyond the credit") }
    }

    /// Notes that a new envelope or blob chunk arrived.
    @inline(__always)
    mutating func broughtNews(at now: Moment) { broughtNews = now }

    /// Renews the credit for `window` bytes of envelopes in flight and `names` missing envelopes;
    /// nil waits for the next commit.
    package mutating func renewCredit(window: UInt64?, names: Int) {
        guard let window else { return }
        let credit = grant.renew(envelopeWindow: window, names: names) {
            var missing = 0
            for index in replications.indices { missing += replications[index].missing.count }
            return missing
        }
        if let credit { outbox.append(.credit(credit)) }
    }

    /// Whether the peer has no credit left for announcements.
    package var isWindowFull: Bool { grant.areNamesUsedUp }

    /// Gives credit for announcements before half of a window is free.
    mutating func renewsEarly() { grant.renewsEarly = true }

    // MARK: Replications

    /// The index of the replication of a conversation, if it is shared.
    package func replication(of number: UInt32) -> Int? {
        replications.firstIndex { $0.conversation == number }
    }

    /// The index of the replication with the peer's number.
    ///
    /// It is nil if this node has left the conversation, or never matched the tag. The method is
    /// inlined, as the compiler copies a link of a table to call its methods.
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

    /// Notes an introduced origin without a stored envelope.
    ///
    /// At the limit, origins with stored envelopes are dropped first: `isUnused` is false for them.
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
