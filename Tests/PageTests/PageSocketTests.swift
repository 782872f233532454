import Foundation
import Glibc
import PageSupport
import ParleyAPI
import TestSupport
import Testing

/// The users of the page's port, none of whom can keep others out.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageSocketTests {
    /// The page of a new node: its port, and the path of the one-time link.
    private func page(of node: PageNode) throws -> (port: Int, link: String) {
        let link = try #require(node.ready.page.flatMap { URL(string: $0) })
        return (try #require(link.port), link.path)
    }

    /// A good link of another user is of no use: nothing is read, and nothing is answered.
    @Test(.enabled(if: geteuid() == 0))
    func anotherUserOfTheMachineGetsNothing() async throws {
        let node = try await PageNode("alice")
        let (port, link) = try page(of: node)
        let files = try TestDirectory()
        for user in [4_242, 65_534, 4_242, 65_534, 0] {
            let request = "GET \(link) HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n\\r\\n"
            let child = try Child(
                [
                    "/usr/bin/env", "setpriv", "--reuid", "\(user)", "--clear-groups", "timeout",
                    "5", "bash", "-c",
                    """
                    exec 3<>/dev/tcp/127.0.0.1/\(port)
                    printf '\(request)' >&3
                    head -c 12 <&3
                    """,
                ],
                environment: ProcessInfo.processInfo.environment,
                output: files.path("\(user)"),
                errors: files.path("errors")
            )
            _ = await child.end()
            let answer = String(decoding: try files.contents("\(user)"), as: UTF8.self)
            #expect(answer == (user == 0 ? "HTTP/1.1 200" : ""))
        }
        let lines = try node.log.split(separator: "\n")
        for user in [4_242, 65_534] {
            let count = lines.count { $0.contains("turned user \(user) away") }
            #expect(count == 1, "the log says it once")
        }
        await #expect(node.end() == 0)
    }

    /// Regression: 256 connections that sent a byte now and then kept everybody out.
    @Test func connectionsWithoutARequestKeepNobodyOut() async throws {
        let node = try await PageNode("alice")
        let (port, link) = try page(of: node)
        // The first request has the node make the files of the page, which is no part of the time.
        try await eventually("the files of the page") {
            try PageSocket.ask("/", port: port).hasPrefix("HTTP/1.1 401")
        }
        let slow = try (0..<300).map { _ in
            let socket = try PageSocket(port: port)
            socket.send("GET / HTTP/1.1\r\nX-Slow: ")
            return socket
        }
        let started = ContinuousClock.now
        #expect(try PageSocket.ask(link, port: port).hasPrefix("HTTP/1.1 200"))
        #expect(ContinuousClock.now - started < .seconds(5))
        let first = try #require(slow.first)
        #expect(first.readToEnd().isEmpty, "the oldest had to go")
        await #expect(node.end() == 0)
    }

    /// A server that has no descriptors left pauses, says so once, and goes on when there are some.
    @Test func withoutDescriptorsThePagePauses() async throws {
        let node = try await PageNode("alice")
        let (port, link) = try page(of: node)
        let process = "/proc/\(node.processID)"
        let used = try FileManager.default.contentsOfDirectory(atPath: process + "/fd").count
        // 16 descriptors are left for the rest of the process.
        let files = try TestDirectory()
        let limited = try Child(
            [
                "/usr/bin/env", "prlimit", "--pid", "\(node.processID)",
                "--nofile=\(used + 20):\(used + 20)",
            ],
            environment: ProcessInfo.processInfo.environment,
            output: files.path("output"),
            errors: files.path("errors")
        )
        try await #require(limited.end() == 0)
        let pause = "the page does not accept connections for now"
        do {
            let held = try (0..<30).map { _ in try PageSocket(port: port) }
            try await eventually("the pause") { try node.log.contains(pause) }
            withExtendedLifetime(held) {}
        }
        #expect(try PageSocket.ask(link, port: port).hasPrefix("HTTP/1.1 200"))
        // Those that wait behind the limit are accepted as the first ones close, so there may be
        // another pause.
        try await eventually("each pause is said once, and its end") {
            let log = try node.log
            let ends = log.components(separatedBy: "the page accepts connections again").count
            return ends > 1 && log.components(separatedBy: pause).count == ends
        }
        await #expect(node.end() == 0)
    }
}
