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
            publication = try Publication(
                shortID: key.id.announcedText,
                port: listening.first?.port ?? 0,
                deviceName: deviceName,
                version: UInt16(NodeConfiguration.spoken.upperBound)
            )
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
        // Nobody else on the network can announce the loopback, whatever a record says.
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
