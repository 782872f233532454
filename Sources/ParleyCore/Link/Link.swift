/// One connection to one peer, from the end of the TLS handshake on.
package struct Link: Sendable {
    package let id: LinkID
    package let isInitiator: Bool
    package let device: DeviceID
    package let address: String
    let dial: DialID?
    let exporter: Bytes32
    let openedAt: Moment

    package var phase: LinkPhase
    package var hello: Hello?
    private var frames = FrameParser()
    package var liveness: Liveness
    package var duplicate: DuplicateCheck?
    package var membership = Membership()
    /// One for each conversation that both sides have, in the order in which they were found.
    package var replications: [Replication] = []
    var grant = CreditGrant()
    package var outbox: Outbox
    /// When it last brought an envelope or a piece of a picture that was not here.
    var broughtNews: Moment?
    /// Origins that the peer introduced while no envelope of them was here.
    package private(set) var introduced: [IntroducedOrigin] = []

    /// Origins that one link may introduce.
    private static let introducedMax = 4_096

    /// A link whose peer has to say hello first.
    package init(_ opened: OpenedLink, device: DeviceID, outboxCapacity: Int, at now: Moment) {
        id = opened.id
        isInitiator = opened.dial != nil
        self.device = device
        address = opened.address
        dial = opened.dial
        exporter = opened.exporter
        openedAt = now
        phase = .greeting(deadline: now + LinkPhase.patience)
        liveness = Liveness(at: now)
        outbox = Outbox(capacity: outboxCapacity)
    }

    package var isMember: Bool { phase == .member }

    /// Whether it is a member's that answers.
    package var isLive: Bool { isMember && !liveness.isSuspect }

    /// The latest round trip, nil before the first.
    package var roundTrip: Interval? { liveness.roundTrip }

    /// Whether something sent has not been answered for a second.
    package var isSuspect: Bool { liveness.isSuspect }

    /// Conversations that both sides have.
    package var conversations: [UInt32] { replications.map(\.conversation) }

    // MARK: Frames

    /// Bytes came.
    package mutating func received(_ bytes: Slice, at now: Moment) {
        liveness.heard(at: now)
        frames.append(bytes)
    }

    /// The next whole frame of what came; strangers may send short ones only.
    package mutating func nextFrame() throws(Refusal) -> RawFrame? {
        let bytesMax = isMember ? Limits.frameBytes : Limits.strangerFrameBytes
        do throws(CodecError) {
            return try frames.next(frameBytesMax: bytesMax)
        } catch {
            throw .malformed(error)
        }
    }

    /// Sends a ping that the peer has to answer.
    package mutating func ping(_ nonce: UInt64, at now: Moment) {
        outbox.append(.ping(nonce))
        liveness.pingSent(at: now)
    }

    /// Lets the peer send on, so that `window` bytes of envelopes may be on their way.
    mutating func renewCredit(window: UInt64) {
        guard let credit = grant.renew(envelopeWindow: window) else { return }
        outbox.append(.credit(credit))
    }

    // MARK: Replications

    /// The index of the replication of a conversation, if it is shared.
    package func replication(of number: UInt32) -> Int? {
        replications.firstIndex { $0.conversation == number }
    }

    /// The index of the replication that the peer means by its number, or nil if this node has left
    /// the conversation or never matched the tag.
    package func replication(ofPeerNumber number: UInt32) throws(Refusal) -> Int? {
        guard Int(number) < membership.peerTags.count else {
            throw .overLimit("a conversation number that was never announced")
        }
        return replications.firstIndex { $0.peerNumber == number }
    }

    /// Sends what changed in the conversation of one replication.
    package mutating func pump(
        _ index: Int,
        from conversation: Conversation,
        with sender: inout Sender
    ) {
        swap(&outbox, &sender.outbox)
        replications[index].pump(from: conversation, into: &sender)
        swap(&outbox, &sender.outbox)
        if outbox.takeAnswerExpected() { liveness.expectsAnswer(at: sender.now) }
    }

    // MARK: Origins

    /// The peer introduces an origin of which no envelope is here.
    ///
    /// Origins of which an envelope has come since, as `isUnused` says, do not count any more.
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
