/// The services that were found and not withdrawn; they stay while avahi-daemon is away.
///
/// A new browser reports all services again. A service counts as lost if the browser has not
/// reported it in time.
package struct FoundServices: Sendable {
    private var services: [ResolveQueue.Key: DiscoveredService] = [:]
    /// The number of services with each short ID.
    private var sightings: [String: Int] = [:]
    /// The services that an earlier browser found and the present one has not reported yet.
    private var unconfirmed: Set<ResolveQueue.Key> = []
    /// When the unconfirmed services count as lost.
    package private(set) var wakeAt: Duration?

    /// Nothing was found yet.
    package init() {}

    /// All services, in no particular order.
    package var all: [DiscoveredService] { Array(services.values) }

    package var count: Int { services.count }

    /// A service was resolved.
    package mutating func found(
        _ service: DiscoveredService,
        at key: ResolveQueue.Key
    ) -> [DiscoveryEvent] {
        let isOther = services[key].map { $0.shortID != service.shortID } ?? false
        let events = isOther ? lost(key) : []
        if services.updateValue(service, forKey: key) == nil {
            sightings[service.shortID, default: 0] += 1
        }
        return events + [.found(service)]
    }

    /// A service was withdrawn, or is none any more.
    package mutating func lost(_ key: ResolveQueue.Key) -> [DiscoveryEvent] {
        guard let service = services.removeValue(forKey: key) else { return [] }
        let others = (sightings[service.shortID] ?? 1) - 1
        sightings[service.shortID] = others == 0 ? nil : others
        return [.lost(service.sighting, shortID: service.shortID, others: others)]
    }

    /// A new browser has to report again what was found.
    package mutating func browserBegan(at now: Duration) {
        unconfirmed = Set(services.keys)
        wakeAt = unconfirmed.isEmpty ? nil : now + DiscoveryLimits.confirmation
    }

    /// The browser has reported a service.
    package mutating func confirmed(_ key: ResolveQueue.Key) { unconfirmed.remove(key) }

    /// The browser has ended, and reports nothing more.
    package mutating func browserEnded() { wakeAt = nil }

    /// Reports services as lost that left while there was no browser.
    package mutating func woke(at now: Duration) -> [DiscoveryEvent] {
        guard let wakeAt, now >= wakeAt else { return [] }
        self.wakeAt = nil
        defer { unconfirmed = [] }
        return unconfirmed.sorted {
            ($0.name, $0.interfaceIndex, $0.isIPv6 ? 1 : 0)
                < ($1.name, $1.interfaceIndex, $1.isIPv6 ? 1 : 0)
        }
        .flatMap { lost($0) }
    }

    /// Forgets all services without events.
    package mutating func removeAll() { self = FoundServices() }
}
