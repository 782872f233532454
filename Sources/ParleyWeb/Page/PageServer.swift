import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ParleyAPI

/// The server of the page, over TCP.
package struct PageServer: Sendable {
    private let routes: ControlRoutes
    private let door: PageDoor
    private let wanted: PageAddress?
    private let logger: Logger

    /// The most connections; further ones wait.
    package static let connectionsMax = 256
    /// The time after which a connection without a request is closed.
    private static let idleTimeout = TimeAmount.seconds(60)
    /// The largest header of a request, in bytes.
    private static let headerBytesMax = 32 << 10
    /// The ports that are tried unless somebody asks for one.
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

    /// Serves until the task is cancelled or the service is told to shut down.
    ///
    /// - Parameter ready: Called once browsers can connect.
    /// - Throws: a `Problem` if it cannot listen.
    package func run(ready: @escaping @Sendable () async -> Void) async throws {
        if let wanted { return try await run(at: wanted, ready: ready) }
        for _ in 1..<Self.portsTried {
            do {
                return try await run(at: Self.firstFree(), ready: ready)
            } catch let problem as Problem where problem.kind == .portInUse {
                // Another node took the port after it was found to be free.
                continue
            }
        }
        try await run(at: PageAddress(host: PageAddress.usual.host, port: 0), ready: ready)
    }

    private func run(
        at address: PageAddress,
        ready: @escaping @Sendable () async -> Void
    ) async throws {
        let service = HTTPService(
            router: routes.pageRouter(door),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [StalledWrites()],
                    idleTimeout: Self.idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: Self.headerBytesMax,
                        maxHeaderListSize: Self.headerBytesMax,
                        maxHeaderFieldCount: 128
                    )
                )
            ),
            configuration: .init(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.connectionsMax)
            ),
            logger: logger
        )
        do {
            try await service.run { channel in
                let port = channel.localAddress?.port ?? address.port
                door.opened(at: PageAddress(host: address.host, port: port))
                await ready()
            }
        } catch let error as IOError {
            throw Self.problem(error, address)
        }
    }

    private static func problem(_ error: IOError, _ address: PageAddress) -> Problem {
        let hint = "Choose another address with --web HOST:PORT, or serve no page with --no-web."
        guard error.errnoCode == EADDRINUSE else {
            let reason = String(cString: strerror(error.errnoCode))
            return Problem(
                .notListening,
                "The page cannot be served at \(address): \(reason).",
                hint: hint
            )
        }
        return Problem(.portInUse, "Port \(address.port) of the page is in use.", hint: hint)
    }

    /// The usual address, or the first one after it on which nobody listens.
    private static func firstFree() -> PageAddress {
        var address = PageAddress.usual
        for _ in 0..<portsTried {
            if address.isFree { return address }
            address = address.next
        }
        return PageAddress(host: address.host, port: 0)
    }
}
