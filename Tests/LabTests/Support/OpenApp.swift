import Foundation
import Glibc
import TestSupport
import Testing

/// The output of `parley open --json`: an app's screen.
struct AppScreen: Decodable, Sendable {
    struct Action: Decodable, Sendable {
        let number: Int
        let node: String
    }

    struct Bubble: Decodable, Sendable {
        let kind: String
        let line: String
    }

    let style: String?
    let text: String
    let actions: [Action]
    let bubbles: [Bubble]

    /// The number of the view that has that name.
    func number(of name: String) throws -> Int {
        let action = actions.first { $0.node.hasSuffix("/#\(name)") }
        return try #require(action, "no \(name) to use in:\n\(text)").number
    }
}

/// A `parley open` in a process of its own, with somebody who types.
final class OpenApp: Sendable {
    private let child: Child
    private let typing: Int32
    private let output: String

    /// Opens an app on a host; returns once its first screen is there.
    static func open(_ app: String, in conversation: String, on host: Host) async throws -> OpenApp
    {
        let opened = try OpenApp(app, conversation, host)
        _ = try await opened.awaitScreen("first screen") { _ in true }
        return opened
    }

    private init(_ app: String, _ conversation: String, _ host: Host) throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        output = "\(host.data)-\(UUID().uuidString.prefix(8)).screens"
        typing = ends[1]
        child = try Child(
            [
                Lab.executable, "open", app, "-c", conversation, "--data", host.data, "--json",
            ],
            environment: ProcessInfo.processInfo.environment,
            input: .descriptor(ends[0]),
            output: output,
            errors: "\(output).errors"
        )
        Glibc.close(ends[0])
    }

    deinit { Glibc.close(typing) }

    /// The latest screen.
    func screen() throws -> AppScreen? {
        let bytes = try Data(contentsOf: URL(filePath: output))
        // The app may be in the middle of writing the line behind it.
        guard let end = bytes.lastIndex(of: 0x0A) else { return nil }
        let lines = bytes[..<end].split(separator: 0x0A)
        return try lines.last.map { try JSONDecoder().decode(AppScreen.self, from: $0) }
    }

    /// Waits for a screen.
    @discardableResult
    func awaitScreen(
        _ what: String,
        _ isIt: (AppScreen) -> Bool
    ) async throws -> AppScreen {
        try await eventually(what) {
            guard child.exitCode == nil else {
                let errors = try String(contentsOfFile: "\(output).errors", encoding: .utf8)
                try #require(Bool(false), "parley open has ended: \(errors)")
                return nil
            }
            return try screen().flatMap { isIt($0) ? $0 : nil }
        }
    }

    /// Types a line.
    func type(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        try #require(send(typing, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    /// Types `q` and waits for the end.
    func quit() async throws {
        try type("q")
        let code = try await eventually("end of parley open") { child.exitCode }
        try #require(code == 0, "parley open ended with \(code)")
    }
}
