/// Encoded frames on their way to the transport.
package struct Outbox: Sendable {
    /// The most bytes that may wait for a peer; a peer that keeps to the protocol never causes
    /// more.
    package static let bytesMax = 4 << 20

    /// The frames of this step that follow `pieces`.
    package var bytes: [UInt8] = []
    /// The first frames of this step, in order.
    private var pieces: [[UInt8]] = []
    private var pieceBytes = 0
    /// The bytes handed over since the kernel was last known to have taken everything.
    private var unwritten = 0
    /// Whether something waits until the kernel has taken everything.
    package var isAwaitingCapacity = false
    private var isDrainAwaited = false

    /// Shorter shared frames are copied into one buffer with their neighbours.
    private static let sharedBytesMin = 4 << 10

    /// No more envelopes are appended while so many bytes are pending.
    package let capacity: Int
    /// The credit from the peer.
    package var credit = SendCredit()
    /// Envelopes that were appended since the last `takeEnvelopesAppended`.
    private var envelopesAppended = 0
    /// The other frames that were appended since the last `takeFramesAppended`, by their types.
    private var framesAppended: [FrameType: UInt64] = [:]
    /// The reaction to expect for the frames that were appended since the last `takeExpectation`.
    private var expectation = Expectation.nothing

    /// The reaction of a live peer to frames; for several frames, the strongest one counts.
    package enum Expectation: UInt8, Comparable, Sendable {
        case nothing
        /// The peer's machine acknowledges the frames.
        case receipt
        /// The peer answers.
        case answer

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package init(capacity: Int = Self.bytesMax) {
        self.capacity = capacity
    }

    /// The bytes that the kernel may not have taken yet.
    package var pending: Int { unwritten + pieceBytes + bytes.count }

    /// Whether frames of this step will be handed over.
    package var hasFrames: Bool { pieceBytes + bytes.count > 0 }

    package mutating func append(_ frame: Frame) {
        frame.append(to: &bytes)
        framesAppended[frame.type, default: 0] += 1
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

    /// Counts appended envelopes and the credit that they use.
    ///
    /// The peer answers an envelope with a position.
    package mutating func appended(
        envelopes count: Int,
        creditBytes: Int,
        expecting expectation: Expectation = .answer
    ) {
        envelopesAppended += count
        credit.envelopesSent += UInt64(creditBytes)
        expect(expectation)
    }

    /// Notes that the peer has to answer an appended frame, or to acknowledge it at least.
    package mutating func expect(_ expectation: Expectation) {
        self.expectation = max(self.expectation, expectation)
    }

    /// The reaction to expect for the frames that were appended since the last call.
    package mutating func takeExpectation() -> Expectation {
        defer { expectation = .nothing }
        return expectation
    }

    /// How many envelopes were appended since the last call.
    package mutating func takeEnvelopesAppended() -> Int {
        defer { envelopesAppended = 0 }
        return envelopesAppended
    }

    /// How many frames of each type, but for envelopes, were appended since the last call.
    mutating func takeFramesAppended() -> [FrameType: UInt64] {
        defer { framesAppended = [:] }
        return framesAppended
    }

    /// The frames to hand over at the end of the step, in order.
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

    /// Whether to ask for `drained` now: half of `limit` is on its way to the kernel, or something
    /// waits.
    ///
    /// The answer costs a step, so an outbox asks only when necessary.
    package mutating func asksForDrain(limit: Int) -> Bool {
        let isDue = isAwaitingCapacity || unwritten >= min(limit, Self.bytesMax) / 2
        guard isDue, unwritten > 0, !isDrainAwaited else { return false }
        isDrainAwaited = true
        return true
    }

    /// The kernel has taken everything.
    package mutating func drained() {
        unwritten = 0
        isAwaitingCapacity = false
        isDrainAwaited = false
    }
}
