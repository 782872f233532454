package import Foundation
import HummingbirdCore
package import Logging
import ParleyAPI

/// The control API of a node: `/v1` on a Unix socket that only this user may open.
package struct ControlServer: Sendable {
    private let routes: ControlRoutes
    private let directory: URL
    private let logger: Logger

    /// Makes a server of the routes of a started node, whose data directory this process has
    /// locked.
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
        let service = HTTPService(
            router: routes.router,
            configuration: .init(address: .unixDomainSocket(path: path), serverName: "parley"),
            logger: logger
        )
        try await service.run { _ in
            _ = chmod(path, 0o600)
            await ready()
        }
    }
}
