/// The envelopes to ask one peer for.
///
/// Only a few wants are unanswered at a time, so that the first answer arrives early on a slow path
/// and shows that the peer is answering. The queue holds fingerprints, as the peer decides how many
/// names there are.
package struct WantQueue: Sendable {
    /// Unanswered wants at a time.
    package static let unansweredMax = 256
    /// How many stale fingerprints the queue may hold beyond the number of waiting ones.
    private static let staleMax = 64

    /// The queue, in order; it also has fingerprints that are not in `waiting` any more.
    private var fingerprints: [UInt64] = []
    private var waiting: Set<UInt64> = []
    private var unanswered: Set<UInt64> = []

    package init() {}

    /// Whether no want waits.
    package var isEmpty: Bool { waiting.isEmpty }

    /// Queues a want.
    ///
    /// An earlier unanswered want for the same envelope is no longer counted.
    package mutating func add(_ fingerprint: UInt64) {
        unanswered.remove(fingerprint)
        if waiting.insert(fingerprint).inserted { fingerprints.append(fingerprint) }
    }

    /// Takes the wants to send now.
    ///
    /// `entry` returns nil for an envelope that this peer need not be asked for any more.
    package mutating func take(entry: (UInt64) -> HaveEntry?) -> [HaveEntry] {
        var entries: [HaveEntry] = []
        var count = 0
        for fingerprint in fingerprints {
            guard unanswered.count < Self.unansweredMax else { break }
            count += 1
            guard waiting.remove(fingerprint) != nil, let entry = entry(fingerprint) else {
                continue
            }
            unanswered.insert(fingerprint)
            entries.append(entry)
        }
        fingerprints.removeFirst(count)
        dropStale()
        return entries
    }

    /// The envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ fingerprint: UInt64) {
        unanswered.remove(fingerprint)
        if waiting.remove(fingerprint) != nil { dropStale() }
    }

    private mutating func dropStale() {
        if waiting.isEmpty {
            // An idle link keeps no capacity.
            fingerprints = []
            waiting = []
        } else if fingerprints.count > 2 * waiting.count + Self.staleMax {
            fingerprints.removeAll { !waiting.contains($0) }
        }
    }
}
