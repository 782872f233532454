import ParleyDiscovery
import ParleyLoop
import Synchronization
import Testing

/// A `Discovery` and the events that it has reported.
final class Finder: Sendable {
    let discovery: Discovery
    private let told: Told

    /// The events so far, which the observer shares.
    private final class Told: Sendable {
        let events = Mutex<[DiscoveryEvent]>([])
    }

    init(filter: InterfaceFilter = .everything) {
        let told = Told()
        self.told = told
        discovery = Discovery(filter: filter) { event in
            told.events.withLock { $0.append(event) }
        }
    }

    /// Makes a finder that is started, browses, and announces `shortID` unless it is nil.
    static func started(
        shortID: String? = nil,
        port: UInt16 = 1,
        name: String = "Somebody",
        filter: InterfaceFilter = .everything
    ) async throws -> Finder {
        let finder = Finder(filter: filter)
        let publication = try shortID.map {
            try Publication(shortID: $0, port: port, deviceName: name, version: 1)
        }
        await finder.discovery.start()
        // Like the node, it publishes before it browses, so that it recognises its own leftovers.
        await finder.discovery.setPublication(publication)
        await finder.discovery.setBrowsing(true)
        return finder
    }

    var events: [DiscoveryEvent] { told.events.withLock { $0 } }

    /// Forgets the events so far.
    func forget() { told.events.withLock { $0 = [] } }

    /// Forgets the `found` events only.
    func forgetFound() {
        told.events.withLock { events in
            events.removeAll { if case .found = $0 { true } else { false } }
        }
    }

    /// The services of all `found` events, in order.
    var found: [DiscoveredService] {
        events.compactMap { if case .found(let service) = $0 { service } else { nil } }
    }

    var lost: [Sighting] {
        events.compactMap { if case .lost(let sighting, _, _) = $0 { sighting } else { nil } }
    }

    var warnings: [DiscoveryWarning] {
        events.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
    }

    var states: [DiscoveryState] {
        events.compactMap { if case .stateChanged(let state) = $0 { state } else { nil } }
    }

    func refusals(of name: String) -> [DiscoveryError] {
        events.compactMap {
            if case .refused(name, let error) = $0 { error } else { nil }
        }
    }

    func hasFound(_ shortID: String) -> Bool { found.contains { $0.shortID == shortID } }

    func hasLost(_ shortID: String) -> Bool {
        events.contains { if case .lost(_, shortID, _) = $0 { true } else { false } }
    }
}
