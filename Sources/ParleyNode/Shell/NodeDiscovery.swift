import Dispatch
package import ParleyCore
package import ParleyDiscovery
import ParleyKeys
import ParleyLoop
package import ParleyTransport

/// What this node announces of itself, and the nodes that are announced to it.
package struct NodeDiscovery {
    private let interfaces: [String]
    private let device: DeviceID
    private let name: String
    private var discovery: Discovery?
    private var state = DiscoveryState.stopped
    package private(set) var announced = AnnouncedNodes()

    /// Discovery that was not started, for interfaces whose names match the patterns.
    package init(interfaces: [String], device: DeviceID, name: String) {
        self.interfaces = interfaces
        self.device = device
        self.name = name
    }

    // MARK: Announcing

    /// Starts discovery on a queue of its own, because avahi-daemon may block a caller for seconds.
    ///
    /// - Throws: an error of the patterns or of the name.
    mutating func start(
        at listening: [SocketAddress],
        observer: @escaping @Sendable (DiscoveryEvent) -> Void
    ) throws(DiscoveryError) {
        let filter = try InterfaceFilter(globs: interfaces)
        let publication = try publication(listening)
        let discovery = Discovery(filter: filter, observer: observer)
        self.discovery = discovery
        discovery.perform { discovery in
            discovery.start()
            discovery.setPublication(publication)
            discovery.setBrowsing(true)
        }
    }

    /// Announces the node again, as its addresses may have moved to other interfaces.
    func announceAgain(at listening: [SocketAddress]) {
        guard let publication = try? publication(listening) else { return }
        discovery?
            .perform { discovery in
                discovery.setPublication(publication)
                discovery.recommit()
            }
    }

    func stop() { discovery?.perform { $0.stop() } }

    private func publication(_ listening: [SocketAddress]) throws(DiscoveryError) -> Publication {
        try Publication(
            shortID: device.announcedText,
            port: listening.first?.port ?? 0,
            deviceName: name,
            version: UInt16(NodeConfiguration.spoken.upperBound),
            interfaces: Self.interfaces(of: listening)
        )
    }

    /// The indices of the interfaces with a listening address; nil for all.
    private static func interfaces(of listening: [SocketAddress]) -> Set<UInt32>? {
        guard !listening.contains(where: \.ip.isUnspecified) else { return nil }
        let ips = Set(listening.map(\.ip))
        let local = LocalAddress.all().filter { $0.address.map { ips.contains($0.ip) } ?? false }
        return Set(local.map(\.interfaceIndex))
    }

    // MARK: Finding others

    /// Discovery reports an event.
    ///
    /// - Returns: the inputs of the machine that follow from the event.
    /// - Throws: an error of an announced address that can be no other node's.
    package mutating func heard(_ event: DiscoveryEvent) throws(AddressError) -> [NodeInput] {
        switch event {
        case .found(let service): return try found(service)
        case .lost(let sighting, _, _):
            return announced.lost(sighting).map { [.addressLost($0)] } ?? []
        case .stateChanged(let state): self.state = state
        case .interfaceSkipped, .collision, .refused, .warning: break
        }
        return []
    }

    private mutating func found(_ service: DiscoveredService) throws(AddressError) -> [NodeInput] {
        guard let ip = IPAddress(bytes: service.address) else { return [] }
        let address = try SocketAddress(
            ip: ip,
            port: service.port,
            interface: UInt32(clamping: service.interfaceIndex)
        )
        // Nobody else on the network can announce the loopback.
        guard ip.isHost, !ip.isLoopback || service.interfaceIndex == LocalAddress.loopback else {
            throw .notOneHost(address.description)
        }
        let text = address.description
        let former = announced.found(service, at: text)
        let found = FoundAddress(
            text: text,
            source: .discovered,
            hint: DeviceID.hint(announced: service.shortID),
            deviceName: service.deviceName
        )
        return [.addressFound(found)] + (former.map { [.addressLost($0)] } ?? [])
    }

    // MARK: Questions

    package var isPublished: Bool { state.isPublished }

    /// Whether the node is announced and finds others.
    package func status(at listening: [SocketAddress]) -> DiscoveryStatus {
        let isHere = listening.allSatisfy(\.ip.isLoopback)
        let (state, name): (DiscoveryStatus.State, String?) =
            switch self.state {
            case .stopped: (.off, nil)
            case .waitingForBus: (.waitingForBus, nil)
            case .waitingForDaemon: (.waitingForDaemon, nil)
            case .waitingForHostName: (.waitingForHostName, nil)
            case .running: (.browsing, nil)
            case .noInterface: (.noInterface, nil)
            case .published(let name): (isHere ? .publishedHere : .published, name)
            }
        let more =
            state == .publishedHere ? ", for this machine only: --listen is its loopback" : ""
        return DiscoveryStatus(state: state, name: name, detail: self.state.sentence + more)
    }

    /// The interfaces of this machine, each with the reason if the node is not announced there.
    func networkInterfaces(at listening: [SocketAddress]) -> [NetworkInterface] {
        guard let filter = try? InterfaceFilter(globs: interfaces) else { return [] }
        let listened = Self.interfaces(of: listening)
        let running = Dictionary(grouping: LocalAddress.all(), by: \.interfaceName)
        return running.sorted { $0.key < $1.key }
            .map { name, addresses in
                let index = addresses[0].interfaceIndex
                let skipped: String? =
                    switch filter.verdict(on: name) {
                    case .denied(let glob): "excluded by --interface \(glob)"
                    case .notListed: "not among --interface"
                    case .used where !addresses[0].isRunning: "down"
                    case .used where listened?.contains(index) == false:
                        "the node listens on no address of it"
                    case .used: nil
                    }
                return NetworkInterface(name: name, skipped: skipped)
            }
    }
}
