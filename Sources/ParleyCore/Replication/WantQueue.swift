/// The envelopes to ask one peer for.
///
/// Only a few wants are unanswered at a time, so that the first answer arrives early on a slow path
/// and shows that the peer is answering.
package struct WantQueue: Sendable {
    /// Unanswered wants at a time.
    package static let unansweredMax = 256
    /// How many stale names the queue may hold beyond the number of waiting ones.
    private static let staleMax = 64

    /// The queue, in order; it also has names that are not in `waiting` any more.
    private var names: [EnvelopeName] = []
    private var waiting: Set<EnvelopeName> = []
    private var unanswered: Set<EnvelopeName> = []

    package init() {}

    /// Whether no want waits.
    package var isEmpty: Bool { waiting.isEmpty }

    /// Queues a want.
    ///
    /// An earlier unanswered want for the same envelope is no longer counted.
    package mutating func add(_ name: EnvelopeName) {
        unanswered.remove(name)
        if waiting.insert(name).inserted { names.append(name) }
    }

    /// Takes the wants to send now.
    ///
    /// `entry` returns nil for an envelope that this peer need not be asked for any more.
    package mutating func take(entry: (EnvelopeName) -> HaveEntry?) -> [HaveEntry] {
        var entries: [HaveEntry] = []
        var count = 0
        for name in names {
            guard unanswered.count < Self.unansweredMax else { break }
            count += 1
            guard waiting.remove(name) != nil, let entry = entry(name) else {
                continue
            }
            unanswered.insert(name)
            entries.append(entry)
        }
        names.removeFirst(count)
        dropStale()
        return entries
    }

    /// The envelope arrived on any link, or is not needed any more.
    package mutating func settled(_ name: EnvelopeName) {
        unanswered.remove(name)
        if waiting.remove(name) != nil { dropStale() }
    }

    private mutating func dropStale() {
        if waiting.isEmpty {
            // An idle link keeps no capacity.
            names = []
            waiting = []
        } else if names.count > 2 * waiting.count + Self.staleMax {
            names.removeAll { !waiting.contains($0) }
        }
    }
}
