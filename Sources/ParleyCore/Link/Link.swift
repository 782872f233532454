/// One connection to one peer, from the end of the TLS handshake on.
package struct Link: Sendable {
    package let id: LinkID
    package let isInitiator: Bool
    package let device: DeviceID
    package let address: String
    let dial: DialID?
    let exporter: Bytes32
    let openedAt: Moment

    package internal(set) var phase: LinkPhase
    package internal(set) var hello: Hello?
    var frames = FrameParser()
    var liveness: Liveness
    var duplicate: DuplicateCheck?
    var membership = Membership()
    /// One for each conversation that both sides have, in the order in which they were found.
    package internal(set) var shares: [Share] = []
    var sendCredit = SendCredit()
    var grant = CreditGrant()
    var outbox = Outbox()
    /// When it last brought an envelope or a piece of a picture that was not here.
    var broughtNews: Moment?
    /// Origins that the peer told of first, each with the number of its conversation.
    var introduced: [(conversation: UInt32, origin: OriginID)] = []

    /// Origins that one link may introduce.
    static let introducedMax = 4_096

    init(_ opened: OpenedLink, device: DeviceID, at now: Moment) {
        id = opened.id
        isInitiator = opened.dial != nil
        self.device = device
        address = opened.address
        dial = opened.dial
        exporter = opened.exporter
        openedAt = now
        phase = .greeting(deadline: now + LinkPhase.patience)
        liveness = Liveness(at: now)
    }

    package var isMember: Bool { phase == .member }

    /// Whether it is a member's that answers.
    var isLive: Bool { isMember && !liveness.isSuspect }

    /// The longest frame that the peer may send now, in bytes.
    var frameBytesMax: Int { isMember ? Limits.frameBytes : Limits.strangerFrameBytes }

    /// The place of the share of the conversation in `slot`, if it is shared.
    func share(ofConversation number: UInt32) -> Int? {
        shares.firstIndex { $0.conversation == number }
    }
}

/// What is asked once per turn: outside of the generic node machine, where closures cost more.
extension [Link] {
    var memberCount: Int {
        var count = 0
        for index in indices where self[index].isMember { count += 1 }
        return count
    }

    /// What a device says on its latest link that it is called.
    func deviceName(of device: DeviceID) -> String? {
        for index in indices.reversed() where self[index].device == device {
            if let name = self[index].hello?.deviceName, !name.isEmpty { return name }
        }
        return nil
    }

    /// The first link to a member that answers, shares `conversation` and is none of `others`.
    func liveLink(sharing conversation: UInt32, besides others: [LinkID]) -> LinkID? {
        for index in indices
        where self[index].isLive && self[index].share(ofConversation: conversation) != nil
            && !others.contains(self[index].id)
        { return self[index].id }
        return nil
    }

    var areSomeClosing: Bool {
        for index in indices where self[index].phase == .closing { return true }
        return false
    }
}

/// How far a link has come.
///
/// Legal transitions:
/// - `greeting -> proving`, on the peer's hello
/// - `proving -> member`, when a conversation of both is found
/// - any -> `closing`, on a goodbye of either side; final
package enum LinkPhase: Sendable, Equatable {
    case greeting(deadline: Moment)
    case proving(deadline: Moment)
    case member
    case closing

    /// How long the peer has for each step.
    static let patience = Interval.seconds(5)

    var deadline: Moment? {
        switch self {
        case .greeting(let deadline), .proving(let deadline): deadline
        case .member, .closing: nil
        }
    }
}

/// Encoded frames on their way to the transport.
package struct Outbox: Sendable {
    /// More is never owed to a peer that keeps to the protocol, in bytes: what it may be told and
    /// asked for at a time, and what waits besides.
    package static let bytesMax = 4 << 20

    /// Built in this turn, behind `pieces`.
    package var bytes: [UInt8] = []
    /// Built in this turn, in order.
    private var pieces: [[UInt8]] = []
    private var pieceBytes = 0
    /// Handed over since the kernel was last known to have taken all, in bytes.
    private var unwritten = 0
    /// Something waits until the kernel has taken all.
    package var isAwaitingRoom = false
    private var isDrainAwaited = false

    /// Shorter ones are copied, so that they travel with what is around them.
    private static let sharedBytesMin = 4 << 10

    package init() {}

    /// What may not be with the kernel yet, in bytes.
    package var pending: Int { unwritten + pieceBytes + bytes.count }

    package mutating func append(_ frame: Frame) {
        frame.append(to: &bytes)
    }

    /// Appends frames that other links send as well; long ones are not copied.
    package mutating func append(shared frames: [UInt8]) {
        guard frames.count >= Self.sharedBytesMin else {
            bytes.append(contentsOf: frames)
            return
        }
        close()
        pieces.append(frames)
        pieceBytes += frames.count
    }

    /// What is to be handed over at the end of the turn, in order.
    package mutating func take() -> [[UInt8]] {
        close()
        unwritten += pieceBytes
        defer {
            pieces = []
            pieceBytes = 0
        }
        return pieces
    }

    private mutating func close() {
        guard !bytes.isEmpty else { return }
        pieceBytes += bytes.count
        pieces.append(bytes)
        bytes = []
    }

    /// Whether to ask now to be told that the kernel has taken all: when half of `limit` is on its
    /// way, from which on no more is handed over.
    ///
    /// Not before it matters, as the answer is a turn of its own.
    package mutating func asksForDrain(limit: Int) -> Bool {
        let isDue = isAwaitingRoom || unwritten >= min(limit, Self.bytesMax) / 2
        guard isDue, unwritten > 0, !isDrainAwaited else { return false }
        isDrainAwaited = true
        return true
    }

    /// The kernel has taken all.
    package mutating func drained() {
        unwritten = 0
        isAwaitingRoom = false
        isDrainAwaited = false
    }
}

/// What the peer lets this side send.
package struct SendCredit: Sendable {
    package var envelopeLimit: UInt64 = 0
    package var blobLimit: UInt64 = 0
    package var envelopesSent: UInt64 = 0
    package var blobsSent: UInt64 = 0

    package init() {}

    package func allowsEnvelope(_ bytes: Int) -> Bool {
        envelopesSent + UInt64(bytes) <= envelopeLimit
    }
    package func allowsBlob(_ bytes: Int) -> Bool { blobsSent + UInt64(bytes) <= blobLimit }

    /// How many bytes of blobs may be sent now.
    package var blobsLeft: UInt64 { blobLimit - blobsSent }

    package mutating func granted(_ credit: Credit) {
        envelopeLimit = max(envelopeLimit, credit.envelopeBytes)
        blobLimit = max(blobLimit, credit.blobBytes)
    }
}

/// What this side lets the peer send.
package struct CreditGrant: Sendable {
    /// Blob bytes that may be on their way to us on one link.
    package static let blobWindow: UInt64 = 512 << 10

    private var granted = Credit(envelopeBytes: 0, blobBytes: 0)
    private var envelopesReceived: UInt64 = 0
    private var blobsReceived: UInt64 = 0

    package init() {}

    /// Counts what came.
    ///
    /// - Returns: false when it was more than was granted.
    package mutating func envelopeReceived(_ bytes: Int) -> Bool {
        envelopesReceived += UInt64(bytes)
        return envelopesReceived <= granted.envelopeBytes
    }

    /// As `envelopeReceived`, for chunks.
    package mutating func blobReceived(_ bytes: Int) -> Bool {
        blobsReceived += UInt64(bytes)
        return blobsReceived <= granted.blobBytes
    }

    /// The credit to send so that `window` bytes of envelopes may be on their way, or nil while
    /// more than half of it is open.
    package mutating func renew(envelopeWindow window: UInt64) -> Credit? {
        let open = granted.envelopeBytes - min(envelopesReceived, granted.envelopeBytes)
        let openBlobs = granted.blobBytes - min(blobsReceived, granted.blobBytes)
        guard open < window / 2 || openBlobs < Self.blobWindow / 2 else { return nil }
        granted.envelopeBytes = max(granted.envelopeBytes, envelopesReceived + window)
        granted.blobBytes = max(granted.blobBytes, blobsReceived + Self.blobWindow)
        return granted
    }
}
