import ParleyCore

/// The envelopes that the author is sending, and the limit up to which it may send.
struct Sending {
    /// The flow control of the author.
    enum Window: Sendable {
        /// At most this many bytes have not been received by the slowest reader.
        case undelivered(bytes: Int)
        /// At most this many envelopes are not confirmed to be on disk.
        case unstored(Int)
        /// The envelopes are sent at this rate.
        case paced(perSecond: Double)
    }

    let traffic: Traffic
    let window: Window
    /// The indices of the next envelope to send and of the end.
    var next: Int
    var end: Int
    /// The time at which the first envelope was due, in seconds.
    let began: Double
    private let first: Int

    /// The size of the pieces that are passed to the transport, in bytes.
    private static let pieceBytes = 64 << 10

    init(_ traffic: Traffic, _ range: Range<Int>, window: Window) {
        self.traffic = traffic
        self.window = window
        next = range.lowerBound
        first = range.lowerBound
        end = range.upperBound
        began = ProcessMeter.now
    }

    /// The frames of the next envelopes as one piece; nil while there is nothing to send or the
    /// piece would be too small.
    ///
    /// `delivered` is the number of envelopes that the slowest reader has, and `stored` the
    /// confirmed position.
    mutating func piece(delivered: Int, stored: UInt64, credit: UInt64) -> [UInt8]? {
        let limit = min(end, limit(delivered: delivered, stored: stored), next + pieceCount)
        let stop = next + traffic.affordable(next..<max(next, limit), credit: credit)
        guard stop > next, isWorthIt(stop) else { return nil }
        defer { next = stop }
        return traffic.frames(next..<stop) + request(toConfirm: stop)
    }

    /// The frame by which an author that waits for the confirmation asks for it.
    private func request(toConfirm position: Int) -> [UInt8] {
        guard case .unstored = window else { return [] }
        let watermark = HaveEntry.watermark(position: UInt64(position))
        var bytes: [UInt8] = []
        Frame.have(HaveList(conversation: 0, entries: [watermark])).append(to: &bytes)
        return bytes
    }

    /// The number of envelopes in a piece.
    private var pieceCount: Int { max(1, Int(Double(Self.pieceBytes) / traffic.frameBytes)) }

    private func limit(delivered: Int, stored: UInt64) -> Int {
        switch window {
        case .undelivered(let bytes): delivered + max(1, Int(Double(bytes) / traffic.frameBytes))
        case .unstored(let count): Int(stored) + count
        case .paced(let rate): first + Int((ProcessMeter.now - began) * rate)
        }
    }

    /// Whether the piece up to `stop` is complete or the last one.
    private func isWorthIt(_ stop: Int) -> Bool {
        guard case .undelivered = window else { return true }
        return stop == end || stop - next >= pieceCount / 2
    }

    /// The time at which envelope `index` is due, nil unless envelopes are sent at a rate.
    func due(_ index: Int) -> Double? {
        guard case .paced(let rate) = window else { return nil }
        return began + Double(index - first + 1) / rate
    }
}
