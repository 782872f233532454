import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import ParleyAPI

/// A client of the node on a data directory; each request has its own connection.
struct ControlClient: Sendable {
    private let directory: URL
    private let patience: Patience?
    private let origin: DataLocation.Origin

    /// The limit of a response, in bytes: a transcript of 10,000 long messages.
    private static let answerBytesMax = 256 << 20
    /// The time limit for connecting to the socket of a node.
    private static let connectTimeout = TimeAmount.seconds(5)

    /// Makes a client of the node in this directory, which need not run yet.
    ///
    /// Without `patience` the client waits for ever. `origin` says who chose the directory: if
    /// nobody did and no node runs there, `--data` may have been forgotten.
    init(
        dataDirectory: URL,
        patience: Patience? = nil,
        origin: DataLocation.Origin = .option
    ) {
        directory = dataDirectory
        self.patience = patience
        self.origin = origin
    }

    /// The same client with another patience, unless it waits for ever.
    func with(_ change: (Patience) -> Patience) -> ControlClient {
        ControlClient(
            dataDirectory: directory,
            patience: patience.map(change),
            origin: origin
        )
    }

    // MARK: Requests

    func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        try Self.decode(type, from: try await bytes(path))
    }

    func post<Answer: Decodable>(
        _ path: String,
        _ document: some Encodable,
        as type: Answer.Type
    ) async throws -> Answer {
        let request = RequestBody(ByteBuffer(bytes: try JSON.encode(document)))
        let data = try await post(path, request) { try await Self.collect(&$0) }
        return try Self.decode(type, from: data)
    }

    /// The body of a response.
    func bytes(_ path: String) async throws -> Data {
        try await get(path) { try await Self.collect(&$0) }
    }

    /// Passes a stream of events, in which the node sends a comment now and then, to `read`.
    ///
    /// - Throws: the errors of `exchange`.
    func stream<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ path: String,
        _ read: (inout ResponseBody) async throws -> Result
    ) async throws -> Result {
        try await with(\.forStream).exchange(.GET, path, read)
    }

    func delete(_ path: String) async throws {
        try await exchange(.DELETE, path) { _ in }
    }

    func delete<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        let data = try await exchange(.DELETE, path) { try await Self.collect(&$0) }
        return try Self.decode(type, from: data)
    }

    func put<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        let data = try await exchange(.PUT, path) { try await Self.collect(&$0) }
        return try Self.decode(type, from: data)
    }

    /// Sends a body of any length; the time for which a silent node is awaited begins after it.
    func post<Answer: Decodable>(
        _ path: String,
        _ file: FileParts,
        as type: Answer.Type
    ) async throws -> Answer {
        let patient = with { patience in
            var patience = patience
            patience.since = { file.taken < file.count ? nil : .uptimeNanoseconds(0) }
            return patience
        }
        let body = RequestBody(parts: file, count: file.count)
        let data = try await patient.post(path, body) { try await Self.collect(&$0) }
        return try Self.decode(type, from: data)
    }

    /// Passes the body of the response to `read` while it arrives.
    ///
    /// - Throws: the errors of `exchange`.
    func get<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ path: String,
        _ read: (inout ResponseBody) async throws -> Result
    ) async throws -> Result {
        try await exchange(.GET, path, read)
    }

    /// Sends a body, and passes the body of the response to `read` at the same time.
    ///
    /// - Throws: the errors of `exchange`.
    func post<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ path: String,
        _ body: RequestBody,
        _ read: (inout ResponseBody) async throws -> Result
    ) async throws -> Result {
        try await exchange(.POST, path, body: body, read)
    }

    /// Sends a request and passes the body of the response to `read` while it arrives.
    ///
    /// The connection is closed when `read` returns, whether or not the response is complete.
    /// - Throws: the problem in the response, the problem with which `body` ends, the problem of a
    ///   node that does not run or answer, or an error of `read`. A problem names the conversation,
    ///   the session and the message of the path.
    private func exchange<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ method: HTTPMethod,
        _ path: String,
        body: RequestBody? = nil,
        _ read: (inout ResponseBody) async throws -> Result
    ) async throws -> Result {
        do {
            return try await exchangeUnnamed(method, path, body: body, read)
        } catch let problem as Problem {
            throw problem.naming(objectsOf: path)
        }
    }

    private func exchangeUnnamed<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ method: HTTPMethod,
        _ path: String,
        body: RequestBody?,
        _ read: (inout ResponseBody) async throws -> Result
    ) async throws -> Result {
        let socket = try socketPath()
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: "/v1/\(path)")
        // The server ignores the header, but HTTP/1.1 requires it.
        head.headers.add(name: "host", value: "parley")
        head.headers.add(contentsOf: body?.headers ?? [:])
        let silence = patience.map(SilenceHandler.init)
        let connection = try await connection(socket, silence)
        return try await connection.executeThenClose { inbound, outbound in
            let writer = RequestWriter(head, body, to: outbound, of: connection.channel)
            defer { writer.cancel() }
            do {
                var parts = ResponseBody(inbound)
                let status = try await parts.head()
                guard (200..<300).contains(status.code) else {
                    throw Self.problem(status, try await Self.collect(&parts))
                }
                return try await read(&parts)
            } catch {
                throw writer.problem ?? silence?.waited.map(noAnswer) ?? error
            }
        }
    }

    /// The hint for a response that cannot be decoded.
    static let otherVersion = "The node may run another version of Parley: restart it."

    /// Decodes a document of the node.
    static func decode<Answer: Decodable>(
        _ type: Answer.Type,
        from data: Data
    ) throws(Problem) -> Answer {
        do {
            return try JSON.decode(type, from: data)
        } catch {
            throw Problem(
                .internal,
                "The node's response cannot be decoded: \(error)",
                hint: otherVersion
            )
        }
    }

    private static func collect(_ body: inout ResponseBody) async throws -> Data {
        var data = Data()
        while let part = try await body.next() {
            guard data.count + part.readableBytes <= answerBytesMax else {
                throw Problem(.internal, "The node's response is too long.")
            }
            data.append(contentsOf: part.readableBytesView)
        }
        return data
    }

    private static func problem(_ status: HTTPResponseStatus, _ data: Data) -> Problem {
        guard let problem = try? JSON.decode(Problem.self, from: data) else {
            return Problem(.internal, "The node answered with \(status).")
        }
        return problem
    }

    // MARK: The socket

    private func connection(
        _ socket: String,
        _ silence: SilenceHandler?
    ) async throws -> ControlChannel {
        let timeout = patience.map { min($0.first, Self.connectTimeout) } ?? Self.connectTimeout
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(timeout)
                .connect(unixDomainSocketPath: socket) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let silence {
                            try channel.pipeline.syncOperations.addHandler(silence)
                        }
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try ControlChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch let error as IOError where error.errnoCode == EAGAIN {
            // The queue of connections that the node has not accepted is full.
            throw noAnswer(after: .zero)
        } catch ChannelError.connectTimeout {
            throw noAnswer(after: timeout)
        } catch {
            // A killed node leaves a socket on which nothing listens.
            throw noNode
        }
    }

    private func noAnswer(after silence: TimeAmount) -> Problem {
        let seconds = (Double(silence.nanoseconds) / 1e8).rounded() / 10
        return Problem(
            .noAnswer,
            "The node in \(directory.path) has not answered for \(seconds) s.",
            hint: "Its process may be stopped or busy: see its log, or wait longer with --timeout."
        )
    }

    private func socketPath() throws(Problem) -> String {
        let socket = ControlSocket.path(inDataDirectory: directory)
        guard access(socket, R_OK | W_OK) == 0 else {
            switch errno {
            case EACCES:
                throw Problem(
                    .notAllowed,
                    "\(directory.path) belongs to another user.",
                    hint: "Run the command as that user, or name another directory with --data."
                )
            case ENOTDIR:
                throw Problem(
                    .noNode,
                    "\(directory.path) is not a directory.",
                    hint: "Name the data directory of a running node with --data."
                )
            default:
                throw noNode
            }
        }
        return socket
    }

    private var noNode: Problem {
        let hint =
            switch origin {
            case .option: "start one with: parley node"
            case .variable:
                "PARLEY_DATA names \(directory.path); start a node there with: parley node"
            case .standard:
                "start one with: parley node; or, if one runs in another directory, add --data DIR."
            }
        return Problem(.noNode, "No node is running in \(directory.path).", hint: hint)
    }
}

/// An HTTP connection to the socket of a node.
typealias ControlChannel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

extension Problem {
    /// The node stopped before its response was complete.
    static var nodeWentAway: Problem {
        Problem(.noNode, "The node stopped before its answer.", hint: "start one with: parley node")
    }
}
