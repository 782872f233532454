import ParleyDiscovery
import ParleyLoop
import Synchronization
import Testing

/// A discovery and all that it has told.
final class Finder: Sendable {
    let discovery: Discovery
    private let told: Told

    /// What was told so far; shared with the observer.
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

    /// One that is started, browses, and announces `shortID` if there is one.
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
        // Before it browses, as the node does: its own leftovers are known from the first.
        await finder.discovery.setPublication(publication)
        await finder.discovery.setBrowsing(true)
        return finder
    }

    var events: [DiscoveryEvent] { told.events.withLock { $0 } }

    /// Forgets what was told so far.
    func forget() { told.events.withLock { $0 = [] } }

    /// Forgets what was found, and nothing else.
    func forgetFound() {
        told.events.withLock { events in
            events.removeAll { if case .found = $0 { true } else { false } }
        }
    }

    /// Every service told of, in the order of telling.
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
}
