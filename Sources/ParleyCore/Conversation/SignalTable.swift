/// The signals of others that were heard last, so that none counts twice and nobody sends too many.
package struct SignalTable: Sendable {
    /// The highest counter of each origin.
    private var counters: [OriginID: UInt64] = [:]
    /// The origins in the order of their first signals, from `first` on.
    private var origins: [OriginID] = []
    private var first = 0
    /// The moment at which each device may again send as many signals at once as anybody.
    private var settled: [DeviceID: Moment] = [:]

    package init() {}

    /// Whether no later signal of the origin was heard, and not this one.
    package func isNew(_ dot: Dot) -> Bool { dot.sequence > counters[dot.origin] ?? 0 }

    /// Whether a device may send a signal now; the signals of guests are those of their host.
    package mutating func admits(_ device: DeviceID, at now: Moment) -> Bool {
        if let settled = settled[device] {
            return settled - now <= Limits.signalInterval * (Limits.signalsAtOnce - 1)
        }
        if settled.count == Limits.signalAuthors { settled = settled.filter { $0.value > now } }
        return settled.count < Limits.signalAuthors
    }

    /// Counts an admitted signal; its author is forgotten when as many others have come later as
    /// are remembered.
    package mutating func count(_ dot: Dot, of device: DeviceID, at now: Moment) {
        settled[device] = max(settled[device] ?? now, now) + Limits.signalInterval
        guard counters.updateValue(dot.sequence, forKey: dot.origin) == nil else { return }
        guard origins.count == Limits.signalAuthors else { return origins.append(dot.origin) }
        counters[origins[first]] = nil
        origins[first] = dot.origin
        first = (first + 1) % origins.count
    }
}
