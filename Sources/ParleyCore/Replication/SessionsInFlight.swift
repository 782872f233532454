/// Sessions with a pushed message that the peer has not confirmed yet.
///
/// A replacement waits for the confirmation. So a peer that was silent for a while finds one
/// message of each session on the link, and no outdated messages.
package struct SessionsInFlight: Sendable {
    package init() {}

    private var pushes: [(position: UInt64, session: Int32)] = []
    private var first = 0
    /// A bit for each session.
    private var bits: [UInt64] = []

    /// Pushes for which an idle link keeps capacity.
    private static let idleCapacity = 1_024

    /// Whether a push of the session is not confirmed.
    package func contains(_ session: Int32) -> Bool {
        let word = Int(session) / 64
        return word < bits.count && bits[word] & bit(session) != 0
    }

    /// The session was pushed; positions ascend.
    package mutating func pushed(_ session: Int32, at position: UInt64) {
        let word = Int(session) / 64
        if word >= bits.count {
            bits.append(contentsOf: repeatElement(0, count: word + 1 - bits.count))
        }
        bits[word] |= bit(session)
        pushes.append((position, session))
    }

    /// Whether a push of any session of a segment is not confirmed.
    func containsAny(of segment: EncodedSegment) -> Bool {
        first < pushes.count && segment.entries.contains { contains($0.session) }
    }

    /// All envelopes of a segment were pushed.
    mutating func pushed(_ segment: EncodedSegment) {
        for entry in segment.entries { pushed(entry.session, at: entry.position) }
    }

    /// The peer has everything up to `position` on disk.
    package mutating func confirmed(upTo position: UInt64) {
        while first < pushes.count, pushes[first].position <= position {
            let session = pushes[first].session
            bits[Int(session) / 64] &= ~bit(session)
            first += 1
        }
        if first == pushes.count {
            pushes.removeAll(keepingCapacity: pushes.capacity <= Self.idleCapacity)
            first = 0
        } else if first > Self.idleCapacity, first * 2 > pushes.count {
            pushes.removeFirst(first)
            first = 0
        }
    }

    private func bit(_ session: Int32) -> UInt64 { 1 << UInt64(session % 64) }
}
