/// Encoded frames on their way to the transport.
package struct Outbox: Sendable {
    /// More is never owed to a peer that keeps to the protocol, in bytes: what it may be told and
    /// asked for at a time, and what waits besides.
    package static let bytesMax = 4 << 20

    /// Built in this step, behind `pieces`.
    package var bytes: [UInt8] = []
    /// Built in this step, in order.
    private var pieces: [[UInt8]] = []
    private var pieceBytes = 0
    /// Handed over since the kernel was last known to have taken all, in bytes.
    private var unwritten = 0
    /// Something waits until the kernel has taken all.
    package var isAwaitingCapacity = false
    private var isDrainAwaited = false

    /// Shorter ones are copied, so that they travel with what is around them.
    private static let sharedBytesMin = 4 << 10

    /// No more envelopes are appended while as many bytes may not be with the kernel yet.
    package let capacity: Int
    /// How much the peer lets this side send.
    package var credit = SendCredit()
    /// Envelopes that were appended since this was read last.
    private var envelopesAppended = 0
    /// Something was appended since this was read last to which the peer has to say something.
    private var isAnswerExpected = false

    package init(capacity: Int = Self.bytesMax) {
        self.capacity = capacity
    }

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

    /// Envelopes of so many bytes, as the credit counts them, were appended.
    package mutating func appended(envelopes count: Int, creditBytes: Int) {
        envelopesAppended += count
        credit.envelopesSent += UInt64(creditBytes)
        isAnswerExpected = true
    }

    /// Something was appended to which the peer has to say something.
    package mutating func expectAnswer() { isAnswerExpected = true }

    /// Whether the peer has to say something to what was appended since this was asked last.
    package mutating func takeAnswerExpected() -> Bool {
        defer { isAnswerExpected = false }
        return isAnswerExpected
    }

    /// How many envelopes were appended since this was asked last.
    package mutating func takeEnvelopesAppended() -> Int {
        defer { envelopesAppended = 0 }
        return envelopesAppended
    }

    /// What is to be handed over at the end of the step, in order.
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
    /// Not before it matters, as the answer is a step of its own.
    package mutating func asksForDrain(limit: Int) -> Bool {
        let isDue = isAwaitingCapacity || unwritten >= min(limit, Self.bytesMax) / 2
        guard isDue, unwritten > 0, !isDrainAwaited else { return false }
        isDrainAwaited = true
        return true
    }

    /// The kernel has taken all.
    package mutating func drained() {
        unwritten = 0
        isAwaitingCapacity = false
        isDrainAwaited = false
    }
}
