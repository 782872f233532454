package import Foundation
import Hummingbird
package import Logging
import NIOCore
import ParleyAPI
import ParleyLoop

/// The control API of a node: `/v1` on a Unix socket that only this user may open.
package struct ControlServer: Sendable {
    private let routes: ControlRoutes
    private let directory: URL
    private let logger: Logger

    /// Makes a server for a started node, whose data directory this process has locked.
    package init(routes: ControlRoutes, dataDirectory: URL, logger: Logger) {
        self.routes = routes
        directory = dataDirectory
        self.logger = logger
    }

    /// Serves until the task is cancelled or the service is told to shut down.
    ///
    /// - Parameter ready: Called once commands can connect.
    /// - Throws: the error of listening.
    package func run(ready: @escaping @Sendable () async -> Void) async throws {
        let path = try ControlSocket.prepare(inDataDirectory: directory)
        // This start's socket only: another node may use the directory by then.
        defer { ControlSocket.removeFolder(ofSocket: path, of: directory) }
        let listener = try Descriptor.listening(on: SocketAddress(unixDomainSocketPath: path))
        _ = chmod(path, 0o600)
        // Every client of the socket is the user; a connection is a stranger until its first
        // request.
        let service = HTTPService(
            responder: routes.router.buildResponder(),
            name: "the control socket",
            slots: ConnectionSlots(Self.limits),
            knows: { _ in true },
            logger: logger
        )
        await service.run(on: listener, ready: ready)
    }

    private static let limits: ConnectionSlots.Limits = {
        var limits = ConnectionSlots.Limits()
        limits.all = 1_024
        return limits
    }()
}
