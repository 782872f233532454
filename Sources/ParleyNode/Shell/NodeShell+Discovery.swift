import Dispatch
import ParleyCore
import ParleyDiscovery
import ParleyKeys
import ParleyLoop
import ParleyTransport

extension NodeShell {
    /// Starts discovery on a queue of its own, because avahi-daemon may block a caller for seconds.
    func startDiscovery() {
        let filter: InterfaceFilter
        let publication: Publication
        do throws(DiscoveryError) {
            filter = try InterfaceFilter(globs: settings.interfaces)
            publication = try self.publication()
        } catch {
            log.discoveryOff("\(error)")
            return
        }
        let discovery = Discovery(filter: filter, observer: eventForwarder())
        self.discovery = discovery
        discovery.perform { discovery in
            discovery.start()
            discovery.setPublication(publication)
            discovery.setBrowsing(true)
        }
    }

    /// Announces the node again, as its addresses may have moved to other interfaces.
    func announceAgain() {
        guard let publication = try? publication() else { return }
        discovery?
            .perform { discovery in
                discovery.setPublication(publication)
                discovery.recommit()
            }
    }

    private func publication() throws(DiscoveryError) -> Publication {
        try Publication(
            shortID: key.id.announcedText,
            port: listening.first?.port ?? 0,
            deviceName: deviceName,
            version: UInt16(NodeConfiguration.spoken.upperBound),
            interfaces: listenedInterfaces
        )
    }

    /// The indices of the interfaces with a listening address; nil for all.
    private var listenedInterfaces: Set<UInt32>? {
        guard !listening.contains(where: \.ip.isUnspecified) else { return nil }
        let ips = Set(listening.map(\.ip))
        let local = LocalAddress.all().filter { $0.address.map { ips.contains($0.ip) } ?? false }
        return Set(local.map(\.interfaceIndex))
    }

    /// The interfaces of this machine, each with the reason if the node is not announced there.
    var networkInterfaces: [NetworkInterface] {
        guard let filter = try? InterfaceFilter(globs: settings.interfaces) else { return [] }
        let listened = listenedInterfaces
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

    /// Whether the node is announced and finds others.
    var discoveryStatus: DiscoveryStatus {
        let isHere = listening.allSatisfy(\.ip.isLoopback)
        let (state, name): (DiscoveryStatus.State, String?) =
            switch discoveryState {
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
        return DiscoveryStatus(state: state, name: name, detail: discoveryState.sentence + more)
    }

    /// An observer that forwards events from the queue of discovery to the queue of the node.
    private nonisolated func eventForwarder() -> @Sendable (DiscoveryEvent) -> Void {
        let queue = executor.queue
        return { [weak self] event in
            queue.async { [weak self] in self?.assumeIsolated { $0.discovered(event) } }
        }
    }

    private func discovered(_ event: DiscoveryEvent) {
        guard !isStopping else { return }
        log.discovery(event)
        switch event {
        case .found(let service): found(service)
        case .lost(let sighting, _, _):
            guard let address = announced.lost(sighting) else { return }
            feed(.addressLost(address))
        case .stateChanged(let state): discoveryState = state
        case .interfaceSkipped, .collision, .refused, .warning: break
        }
    }

    private func found(_ service: DiscoveredService) {
        guard let ip = IPAddress(bytes: service.address) else { return }
        let address: SocketAddress
        do throws(AddressError) {
            address = try SocketAddress(
                ip: ip,
                port: service.port,
                interface: UInt32(clamping: service.interfaceIndex)
            )
        } catch {
            log.announcementUnusable(error)
            return
        }
        // Nobody else on the network can announce the loopback.
        guard ip.isHost, !ip.isLoopback || service.interfaceIndex == LocalAddress.loopback else {
            log.announcementUnusable(.notOneHost(address.description))
            return
        }
        let text = address.description
        let former = announced.found(service, at: text)
        feed(
            .addressFound(
                FoundAddress(
                    text: text,
                    source: .discovered,
                    hint: DeviceID.hint(announced: service.shortID),
                    deviceName: service.deviceName
                )
            )
        )
        if let former { feed(.addressLost(former)) }
    }
}
