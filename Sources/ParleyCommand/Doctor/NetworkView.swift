import Dispatch
import ParleyDiscovery
import ParleyTransport
import Synchronization

/// The network and avahi-daemon, seen by a program of this machine beside the node.
struct NetworkView: Sendable {
    /// How far the connection to avahi-daemon got.
    let daemon: DiscoveryState
    /// The obstacle, in words.
    let trouble: String?
    /// The nodes that the daemon knows, including this machine's.
    let services: [DiscoveredService]
    /// The answers heard without the daemon.
    let heard: MulticastProbe.Result
    let local: [LocalAddress]

    /// The time for devices to answer and for the daemon to resolve services.
    private static let patience = Duration.seconds(2)

    /// Looks around for some seconds.
    static func look() async -> NetworkView {
        let found = Found()
        let discovery = Discovery { event in
            if case .warning(.unavailable(let cause)) = event { found.set(cause) }
        }
        await discovery.start()
        await discovery.setBrowsing(true)
        let local = LocalAddress.all()
        let places = Set(
            local.compactMap { each -> MulticastProbe.Place? in
                guard each.isRunning, let address = each.address else { return nil }
                return MulticastProbe.Place(
                    interfaceIndex: each.interfaceIndex,
                    isIPv6: !address.ip.isV4
                )
            }
        )
        let heard = await inBackground { MulticastProbe.ask(at: Array(places), for: patience) }
        let view = NetworkView(
            daemon: await discovery.state,
            trouble: found.cause,
            services: await discovery.services,
            heard: heard,
            local: local
        )
        await discovery.stop()
        return view
    }

    /// The reason why each address accepts no connections, in words; nil if it does.
    static func failures(at addresses: [SocketAddress]) async -> [String?] {
        await inBackground {
            ReachProbe.failures(at: addresses, within: .seconds(2)).map { $0?.description }
        }
    }

    /// Whether the daemon at each address announces a node when asked directly.
    static func announced(at addresses: [SocketAddress]) async -> [Bool] {
        guard !addresses.isEmpty else { return [] }
        let hosts = addresses.map { (address: "\($0.ip)", interface: $0.interface) }
        let found = await inBackground {
            Set(
                MulticastProbe.announcers(among: hosts, within: .seconds(1))
                    .map { IPAddress(bytes: $0) }
            )
        }
        return addresses.map { found.contains($0.ip) }
    }

    private static let queue = DispatchQueue(label: "parley.doctor")

    /// The result of work that blocks its thread.
    private static func inBackground<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { done in
            queue.async { done.resume(returning: work()) }
        }
    }

    /// The address of a service; nil if nobody can dial it.
    func address(of service: DiscoveredService) -> SocketAddress? {
        IPAddress(bytes: service.address)
            .flatMap {
                try? SocketAddress(
                    ip: $0,
                    port: service.port,
                    interface: UInt32(clamping: service.interfaceIndex)
                )
            }
    }

    /// Whether an answer comes from this machine.
    func isOwn(_ answer: MulticastProbe.Answer) -> Bool {
        let source = IPAddress(bytes: answer.source)
        return local.contains { $0.address?.ip == source }
    }

    /// The place in words, as `eth0 over IPv4`.
    func text(_ place: MulticastProbe.Place) -> String {
        let name = local.first { $0.interfaceIndex == place.interfaceIndex }?.interfaceName
        return "\(name ?? "?") over IPv\(place.isIPv6 ? 6 : 4)"
    }

    /// A cause, shared with the observer of discovery.
    private final class Found: Sendable {
        private let text = Mutex<String?>(nil)

        var cause: String? { text.withLock { $0 } }

        func set(_ cause: String) { text.withLock { $0 = cause } }
    }
}
