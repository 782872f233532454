import Foundation
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Serves the answers of a router over HTTP.
///
/// Hummingbird's `Application` does the same, but renews its text of the present time every second
/// for each server, whether somebody asks or not. An idle node would wake up for nothing else.
struct HTTPService {
    let router: Router<BasicRequestContext>
    var server: HTTPServerBuilder = .http1()
    let configuration: ServerConfiguration
    let logger: Logger

    /// Serves until the task is cancelled or the service is told to shut down.
    ///
    /// - Parameter ready: Called once clients can connect.
    /// - Throws: the error of listening.
    func run(ready: @escaping @Sendable (any Channel) async -> Void) async throws {
        let responder = router.buildResponder()
        let service = try server.buildServer(
            configuration: configuration,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger,
            responder: { [configuration, logger] request, writer, channel in
                let context = BasicRequestContext(
                    source: ApplicationRequestContextSource(channel: channel, logger: logger)
                )
                var response = try await Self.response(responder, request, context)
                response.headers[.date] = HTTPDate.text(time(nil))
                if let name = configuration.serverName { response.headers[.server] = name }
                do {
                    try await writer.write(response: response.head, body: response.body)
                } catch is HTTPParserError {
                    // The server answers such an error, and this answer has begun already.
                    throw UnfinishedResponse()
                }
            },
            onServerRunning: ready
        )
        try await service.run()
    }

    /// The answer to a request.
    ///
    /// - Throws: `HTTPParserError` if the body of the request is not HTTP, which the server
    ///   answers.
    private static func response(
        _ responder: some HTTPResponder<BasicRequestContext>,
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        do {
            return try await responder.respond(to: request, context: context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            context.logger.debug("a request failed: \(error)")
            return Response(status: .internalServerError)
        }
    }
}

/// The request has ended with an error while its response was being written.
private struct UnfinishedResponse: Error {}
