import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ParleyWeb

/// A command's connection to the node that holds a data directory.
struct ControlClient: Sendable {
    private let directory: URL
    private let http: HTTPClient

    /// The longest answer that is collected, in bytes: a transcript of 10,000 long messages.
    private static let answerBytesMax = 256 << 20

    /// A client that must be closed.
    init(dataDirectory: URL) {
        directory = dataDirectory
        var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(5)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Ends every request and connection.
    func close() async {
        // It fails only when it is done a second time, and then nothing is left open.
        try? await http.shutdown()
    }

    // MARK: Requests

    func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        try await decoded(type, try await response(.GET, path))
    }

    func post<Answer: Decodable>(
        _ path: String,
        _ document: some Encodable,
        as type: Answer.Type
    ) async throws -> Answer {
        let body = ByteBuffer(bytes: try JSON.encode(document))
        return try await decoded(type, try await response(.POST, path, body: .bytes(body)))
    }

    /// The body of an answer that is no document.
    func bytes(_ path: String) async throws -> Data {
        try await collected(try await response(.GET, path))
    }

    func delete(_ path: String) async throws {
        _ = try await response(.DELETE, path)
    }

    /// The answer's head; the body is still to come.
    ///
    /// - Throws: the node's problem, if that is what it answers.
    func response(
        _ method: HTTPMethod,
        _ path: String,
        body: HTTPClientRequest.Body? = nil
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: try url(path))
        request.method = method
        request.body = body
        let response: HTTPClientResponse
        do {
            response = try await http.execute(request, deadline: .distantFuture)
        } catch let problem as Problem {
            // From the body of the request: what was to be sent cannot be read.
            throw problem
        } catch {
            throw unreachable(error)
        }
        guard (200..<300).contains(response.status.code) else {
            let data = try await collected(response)
            guard let problem = try? JSON.decode(Problem.self, from: data) else {
                throw Problem("internal", "The node answered with \(response.status).")
            }
            throw problem
        }
        return response
    }

    private func decoded<Answer: Decodable>(
        _ type: Answer.Type,
        _ response: HTTPClientResponse
    ) async throws -> Answer {
        let data = try await collected(response)
        do {
            return try JSON.decode(type, from: data)
        } catch {
            throw Problem("internal", "The node's answer is not understood: \(error)")
        }
    }

    private func collected(_ response: HTTPClientResponse) async throws -> Data {
        do {
            let buffer = try await response.body.collect(upTo: Self.answerBytesMax)
            return Data(buffer.readableBytesView)
        } catch {
            throw Problem.nodeWentAway
        }
    }

    // MARK: The socket

    private func url(_ path: String) throws -> String {
        let socket = ControlSocket.path(inDataDirectory: directory)
        guard FileManager.default.fileExists(atPath: socket) else { throw noNode }
        guard access(socket, R_OK | W_OK) == 0 else {
            throw Problem(
                "notAllowed",
                "The node in \(directory.path) belongs to another user.",
                hint: "Run the command as that user."
            )
        }
        return "http+unix://\(PathText.encoded(socket))/v1/\(path)"
    }

    private func unreachable(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        if let error = error as? HTTPClientError, error == .remoteConnectionClosed {
            return Problem.nodeWentAway
        }
        return noNode
    }

    private var noNode: Problem {
        Problem(
            "noNode",
            "No node is running in \(directory.path).",
            hint: "start one with: parley node"
        )
    }
}

extension Problem {
    /// The node ended in the middle of an answer.
    static var nodeWentAway: Problem {
        Problem(
            "noNode",
            "The node went away before it had answered.",
            hint: "start one with: parley node"
        )
    }
}
