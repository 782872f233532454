import Glibc
import Hummingbird
package import Logging
import NIOCore
import ParleyAPI
import ParleyLoop
import ParleyNode
import ParleyTransport
import ServiceLifecycle
import Synchronization

/// The server for guests, beside that of the owner's page, at all addresses of the machine.
///
/// It listens while a conversation is open to guests or has some, and then until the node stops.
/// The owner's page has a server of its own, which may stay on the loopback.
package final class GuestServer: Sendable {
    private let door: GuestDoor
    private let guests: GuestHost
    private let logger: Logger
    private let isListening = Mutex(false)
    private let (listeners, listener) = AsyncStream.makeStream(of: Descriptor.self)

    /// The first port that is tried, and how many after it.
    package static let usualPort = 8_300
    private static let portsTried = 25
    /// The address of every interface.
    private static let everywhere = "0.0.0.0"

    /// The server of these guests; `run` serves.
    package init(guests: GuestHost, logger: Logger) {
        door = guests.door
        self.guests = guests
        self.logger = logger
        guests.server.withLock { $0 = self }
    }

    /// Serves from the first need on, until the task is cancelled or the service is told to shut
    /// down.
    package func run() async {
        await resume()
        await withGracefulShutdownHandler {
            for await socket in listeners { await service.run(on: socket) {} }
        } onGracefulShutdown: { [listener] in
            listener.finish()
        }
    }

    /// Listens at the start if links may be out, and opens the rooms of earlier guests again; a
    /// failure is tried again with the next opening.
    private func resume() async {
        // A node that stops has no guests to serve.
        let known = (try? await guests.node.guests()) ?? []
        guard door.isOpen || !known.isEmpty else { return }
        do {
            try listen()
        } catch {
            logger.warning("guests are not served: \(error)")
        }
        await guests.reopenRooms(of: known)
    }

    /// Listens, unless it does.
    ///
    /// - Throws: a `Problem` if no port can be had.
    func listen() throws {
        try isListening.withLock { isListening in
            guard !isListening else { return }
            let (socket, port) = try socket()
            try door.opened(at: PageAddress(host: Self.everywhere, port: port))
            isListening = true
            listener.yield(socket)
            logger.notice("guests are served at port \(port) of every address")
        }
    }

    /// The port that links have named before, or the first free one.
    private func socket() throws(Problem) -> (Descriptor, port: Int) {
        let usual = Array(Self.usualPort..<Self.usualPort + Self.portsTried)
        for port in [door.port].compactMap(\.self) + usual {
            do throws(Problem) {
                let address = PageAddress(host: Self.everywhere, port: port)
                let socket = try address.listener(for: "The page for guests", option: "--web")
                return (socket, socket.port)
            } catch {
                guard error.kind == .portInUse else { throw error }
            }
        }
        let any = PageAddress(host: Self.everywhere, port: 0)
        let socket = try any.listener(for: "The page for guests", option: "--web")
        return (socket, socket.port)
    }

    private var service: HTTPService {
        HTTPService(
            responder: guests.responder,
            name: "the page for guests",
            slots: ConnectionSlots(Self.limits),
            configuration: PageServer.configuration,
            knows: { [door] in door.knows(cookiesIn: $0.headerFields[values: .cookie]) },
            logger: logger
        )
    }

    private static let limits: ConnectionSlots.Limits = {
        var limits = ConnectionSlots.Limits()
        // Browsers open at most six connections to a server.
        limits.all = 6 * Guest.countMax + limits.strangers
        return limits
    }()
}

extension PageAddress {
    /// The addresses at which phones may reach a server at every address with this port, the
    /// likeliest first: those of wired and wireless interfaces before those of bridges and tunnels.
    package static func reachable(port: Int) -> [PageAddress] {
        let found = LocalAddress.all().filter(\.isRunning).compactMap { local in
            local.address.flatMap { address -> (rank: Int, text: String)? in
                guard case .v4 = address.ip, !address.ip.isLoopback, !address.ip.isLinkLocal else {
                    return nil
                }
                return (rank(ofInterface: local.interfaceName), "\(address.ip)")
            }
        }
        let texts = found.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.text)
        return (texts.isEmpty ? ["127.0.0.1"] : texts).map { PageAddress(host: $0, port: port) }
    }

    /// Interfaces of containers and tunnels come last.
    private static func rank(ofInterface name: String) -> Int {
        let virtual = [
            "docker", "br-", "virbr", "veth", "tun", "tap", "wg", "lxc", "podman", "vmnet",
        ]
        return virtual.contains { name.hasPrefix($0) } ? 1 : 0
    }
}
