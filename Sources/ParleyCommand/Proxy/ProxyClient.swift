import ArgumentParser
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import ParleyAPI
import ParleyProxy
import ParleyWeb

/// The options of the commands that change a running proxy.
struct ProxyClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The control of the proxy (or TOXIPROXY_URL; default: http://127.0.0.1:8474).",
            valueName: "url"
        )
    )
    var host: String?
    @Flag(help: "Print JSON for programs, as the control gives it.") var json = false

    /// The client of that control.
    ///
    /// - Throws: `badInput` if the address is none.
    func client() throws(Problem) -> ProxyClient {
        let text =
            host ?? ProcessInfo.processInfo.environment["TOXIPROXY_URL"]
            ?? "\(FaultProxyServer.usual)"
        var rest = text[...]
        if rest.hasPrefix("http://") { rest = rest.dropFirst(7) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        do {
            return ProxyClient(address: try PageAddress(parsing: String(rest)))
        } catch {
            throw .badInput(
                "\(text) is not the address of a control.",
                hint: "Write it as http://HOST:PORT, with --host or in TOXIPROXY_URL."
            )
        }
    }
}

/// A client of the control of fault proxies; each request has its own connection.
struct ProxyClient: Sendable {
    let address: PageAddress

    enum Method: String {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    private static let timeout = TimeAmount.seconds(30)
    private static let answerBytesMax = 64 << 20

    /// The answer to a request, as text; empty if it has none.
    ///
    /// - Throws: the problem of a control that does not run or refuses.
    @discardableResult
    func ask(
        _ method: Method,
        _ path: [String],
        _ body: String = "",
        query: String = ""
    ) async throws -> String {
        let uri = path.map { "/" + PathText.encoded($0) }.joined() + query
        let head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: method.rawValue),
            uri: uri,
            headers: ["host": "\(address)", "user-agent": "parley/\(ProgramVersion.text)"]
        )
        let connection = try await connection()
        let (status, text) = try await connection.executeThenClose { inbound, outbound in
            let writer = RequestWriter(
                head,
                RequestBody(ByteBuffer(string: body)),
                to: outbound,
                of: connection.channel
            )
            defer { writer.cancel() }
            do {
                var answer = ResponseBody(inbound)
                let status = try await answer.head()
                var text = ByteBuffer()
                while var part = try await answer.next() {
                    guard text.readableBytes < Self.answerBytesMax else { throw noProxy }
                    text.writeBuffer(&part)
                }
                return (Int(status.code), String(buffer: text))
            } catch {
                throw noProxy
            }
        }
        guard (200..<300).contains(status) else { throw problem(status, text) }
        return text
    }

    /// The answer to a request as JSON.
    func get(_ path: [String]) async throws -> JSONValue {
        let text = try await ask(.get, path)
        guard let json = try? JSONReader.read(Array(text.utf8)) else {
            throw Problem(
                .internal,
                "What answers at http://\(address) is no proxy.",
                hint: "Name the control of the proxy with --host."
            )
        }
        return json
    }

    private func connection() async throws -> ControlChannel {
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(Self.timeout)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try ControlChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw noProxy
        }
    }

    private var noProxy: Problem {
        Problem(
            .noNode,
            "No proxy answers at http://\(address).",
            hint: "Start one with: parley proxy; or name its control with --host."
        )
    }

    private func problem(_ status: Int, _ text: String) -> Problem {
        let json = try? JSONReader.read(Array(text.utf8))
        var message = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if case .string(let words)? = json?["error"] { message = words }
        let hint =
            switch message {
            case "proxy not found": "The names of all proxies: parley proxy list"
            case "toxic not found": "The names of all toxics: parley proxy inspect NAME"
            case "connection not found": "The IDs of all connections: parley proxy connections"
            case "proxy already exists":
                "Choose another name, or remove it: parley proxy delete NAME"
            case "toxic already exists":
                "Give it a name of its own with --name, or use: toxic update"
            case _ where status == 500: "Choose another address with --listen."
            default: ""
            }
        let kind: Problem.Kind =
            status == 409 ? .nameTaken : status == 500 ? .notListening : .badInput
        return Problem(kind, "The proxy refuses: \(message).", hint: hint)
    }
}
