/// What the author is sending, and how far it may go.
struct Sending {
    /// What holds the author back.
    enum Window: Sendable {
        /// Bytes that the slowest reader has not got.
        case undelivered(bytes: Int)
        /// Envelopes that are not confirmed to be on disk.
        case unstored(Int)
        /// Nothing but the clock: each envelope has its time.
        case paced(perSecond: Double)
    }

    let traffic: Traffic
    let window: Window
    /// The next frame to send, and the one to stop at.
    var next: Int
    var end: Int
    /// When the first of `next..<end` was due, in seconds.
    let began: Double
    private let first: Int

    /// Frames handed to the transport at a time, in bytes.
    private static let pieceBytes = 64 << 10

    init(_ traffic: Traffic, _ range: Range<Int>, window: Window) {
        self.traffic = traffic
        self.window = window
        next = range.lowerBound
        first = range.lowerBound
        end = range.upperBound
        began = ProcessMeter.now
    }

    /// The next frames as one piece, nil while there is nothing to send or it is not worth it yet.
    ///
    /// `delivered` is what the slowest reader has, `stored` the confirmed position.
    mutating func piece(delivered: Int, stored: UInt64, credit: UInt64) -> [UInt8]? {
        let limit = min(end, limit(delivered: delivered, stored: stored))
        var stop = next
        let start = traffic.offsets[next]
        while stop < limit, traffic.offsets[stop] - start < Self.pieceBytes,
            UInt64(traffic.offsets[stop + 1] - 4 * (stop + 1)) <= credit
        {
            stop += 1
        }
        guard stop > next, isWorthIt(stop) else { return nil }
        defer { next = stop }
        return Array(traffic.bytes[start..<traffic.offsets[stop]])
    }

    private func limit(delivered: Int, stored: UInt64) -> Int {
        switch window {
        case .undelivered(let bytes): delivered + max(1, Int(Double(bytes) / traffic.frameBytes))
        case .unstored(let count): Int(stored) + count
        case .paced(let rate): first + Int((ProcessMeter.now - began) * rate)
        }
    }

    /// Whole pieces only, but for the last.
    private func isWorthIt(_ stop: Int) -> Bool {
        guard case .undelivered = window else { return true }
        return stop == end || traffic.offsets[stop] - traffic.offsets[next] >= Self.pieceBytes / 2
    }

    /// When frame `index` was due or, if nobody waits for a time, nil.
    func due(_ index: Int) -> Double? {
        guard case .paced(let rate) = window else { return nil }
        return began + Double(index - first + 1) / rate
    }
}
