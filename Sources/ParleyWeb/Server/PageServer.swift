import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ParleyAPI
import ParleyLoop

/// The server of the page, over TCP.
package struct PageServer: Sendable {
    private let routes: ControlRoutes
    private let door: PageDoor
    private let wanted: PageAddress?
    private let logger: Logger

    /// The most connections.
    package static let connectionsMax = ConnectionSlots.Limits().all
    /// The time after which a connection without a request is closed.
    private static let idleTimeout = TimeAmount.seconds(60)
    /// The largest header of a request, in bytes.
    private static let headerBytesMax = 32 << 10
    /// The ports that are tried unless the settings name one.
    private static let portsTried = 25

    /// A server of the page at `address`; nil for the usual one, or the next free port.
    package init(
        routes: ControlRoutes,
        door: PageDoor,
        address: PageAddress?,
        logger: Logger
    ) {
        self.routes = routes
        self.door = door
        wanted = address
        self.logger = logger
    }

    static let configuration = HTTP1Channel.Configuration(
        additionalChannelHandlers: [StalledWrites()],
        idleTimeout: idleTimeout,
        httpDecoderConfiguration: .init(
            maxHeaderFieldSize: headerBytesMax,
            maxHeaderListSize: headerBytesMax,
            maxHeaderFieldCount: 128
        )
    )

    /// Serves until the task is cancelled or the service is told to shut down.
    ///
    /// - Parameter ready: Called once browsers can connect.
    /// - Throws: a `Problem` if it cannot listen.
    package func run(ready: @escaping @Sendable () async -> Void) async throws {
        let (listener, host) = try listen()
        let owners = PageOwners(logger: logger)
        let isAsking = SocketOwner.isKnown(of: listener)
        if !isAsking { owners.cannotAsk() }
        let service = HTTPService(
            responder: routes.pageRouter(door).buildResponder(),
            name: "the page",
            slots: ConnectionSlots(),
            configuration: Self.configuration,
            admits: { !isAsking || owners.admit(SocketOwner(ofPeerOf: $0)) },
            knows: { [door] in door.signIn(of: $0) == .page },
            logger: logger
        )
        door.opened(at: PageAddress(host: host, port: listener.port))
        await service.run(on: listener, ready: ready)
    }

    /// Listens at the wanted address, or at the usual one, the first free port after that, or any
    /// port.
    private func listen() throws(Problem) -> (Descriptor, host: String) {
        if let wanted {
            do throws(Problem) {
                return (try wanted.listener(for: "The page", option: "--web"), wanted.host)
            } catch {
                // An address comes and goes with its network, and the node is needed without it.
                guard error.kind == .notListening, wanted.isAbsent else { throw error }
                logger.warning("\(error.message) It is served on the loopback for now.")
            }
        }
        let usual = PageAddress.usual
        for port in usual.port..<usual.port + Self.portsTried {
            do throws(Problem) {
                let address = PageAddress(host: usual.host, port: port)
                return (try address.listener(for: "The page", option: "--web"), usual.host)
            } catch {
                guard error.kind == .portInUse else { throw error }
            }
        }
        let any = PageAddress(host: usual.host, port: 0)
        return (try any.listener(for: "The page", option: "--web"), usual.host)
    }
}
