import Foundation
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ParleyLoop
import ServiceLifecycle

/// Serves the answers of a router over HTTP.
///
/// Hummingbird's `Server` does not fit: it accepts without a pause when descriptors have run out,
/// reads from every connection, and has one limit for all senders. Its `Application` formats the
/// time every second, which would wake an idle node.
struct HTTPService: Sendable {
    let responder: any HTTPResponder<BasicRequestContext>
    /// The name of the service in the log: `the page`.
    let name: String
    let slots: ConnectionSlots
    var configuration = HTTP1Channel.Configuration()
    /// Whether to read from a connection.
    var admits: @Sendable (Descriptor) -> Bool = { _ in true }
    /// Whether the sender of a request is known, so that the connection keeps its slot.
    let knows: @Sendable (HTTPRequest) -> Bool
    let logger: Logger

    /// Serves the connections of `listener` until the task is cancelled or the service is told to
    /// shut down.
    ///
    /// `ready` is called once clients can connect.
    func run(on listener: Descriptor, ready: @escaping @Sendable () async -> Void) async {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Descriptor.self)
        let loop = AcceptLoop(
            listener,
            on: QueueExecutor(label: "parley.http"),
            taken: { [admits] connection, _ in
                if admits(connection) { arrival.yield(connection) }
            },
            paused: { [name, logger] reason in
                guard let reason else { return logger.notice("\(name) accepts connections again") }
                let text = String(cString: strerror(reason))
                logger.warning("\(name) does not accept connections for now: \(text)")
            }
        )
        let channel = channel
        await loop.start()
        await withGracefulShutdownHandler {
            await ready()
            await withDiscardingTaskGroup { group in
                var count = 0
                for await connection in arrivals {
                    count += 1
                    // NIO closes descriptors by number.
                    let number = fcntl(connection.number, F_DUPFD_CLOEXEC, 0)
                    guard number >= 0 else { continue }
                    group.addTask { [count] in await serve(number, channel, arrival: count) }
                }
                await loop.stop()
            }
        } onGracefulShutdown: { [slots] in
            arrival.finish()
            slots.quiesce()
        }
    }

    /// Serves one connection to its end.
    private func serve(_ number: CInt, _ http: HTTP1Channel, arrival: Int) async {
        do {
            let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .withConnectedSocket(number) { [logger] channel in
                    http.setup(channel: channel, logger: logger)
                }
            slots.take(connection.channel, arrival: arrival)
            await http.handle(value: connection, logger: logger)
            slots.leave(connection.channel)
        } catch {
            logger.debug("a connection has failed: \(error)")
        }
    }

    private var channel: HTTP1Channel {
        HTTP1Channel(
            responder: { [responder, slots, knows, logger] request, writer, channel in
                if knows(request.head) { slots.keep(channel) }
                let context = BasicRequestContext(
                    source: ApplicationRequestContextSource(channel: channel, logger: logger)
                )
                var response = try await Self.response(responder, request, context)
                response.headers[.date] = HTTPDate.text(time(nil))
                do {
                    try await writer.write(response: response.head, body: response.body)
                } catch is HTTPParserError {
                    // The server answers such an error, and this answer has begun already.
                    throw UnfinishedResponse()
                }
            },
            configuration: configuration
        )
    }

    /// The answer to a request.
    ///
    /// - Throws: `HTTPParserError` if the body of the request is not HTTP; the server answers the
    ///   error.
    private static func response(
        _ responder: any HTTPResponder<BasicRequestContext>,
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
