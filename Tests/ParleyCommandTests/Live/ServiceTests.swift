import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// `parley node` under a service manager.
@Suite(.timeLimit(.minutes(5)))
struct ServiceTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func signalStopsItCleanly(signal: Int32) async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        await #expect(node.end(with: signal) == 0)
        let lines = try await node.outputText.split(separator: "\n")
        #expect(lines.count == 1, "one ready line and nothing else")
    }

    /// Regression: threads of the store asked for more priority than users have, and libdispatch
    /// wrote a line into the journal for each that began.
    ///
    /// The first thread of libdispatch itself does so once.
    @Test func itAsksForNoPriorityThatUsersMayNotHave() async throws {
        let directory = try TestDirectory()
        let script = directory.path("as-a-user")
        // Root has to lose the capability; others have none.
        let drop = "[ $(id -u) != 0 ] || set -- setpriv --bounding-set=-sys_nice \"$@\"\n"
        let text = "#!/bin/sh\nset -- '\(Program.url.path)' \"$@\"\n\(drop)exec \"$@\"\n"
        try Data(text.utf8).write(to: URL(filePath: script))
        #expect(chmod(script, 0o700) == 0)
        let node = try await NodeProcess(
            data: directory.path("node"),
            environment: ["LIBDISPATCH_LOG": "stderr"],
            program: URL(filePath: script)
        )
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        await #expect(node.end() == 0)
        let complaints = try await node.log.split(separator: "\n")
            .filter { $0.contains("Failed to set thread priority") }
        #expect(complaints.count == 1, "\(complaints)")
    }

    @Test func followersDoNotKeepItFromStopping() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        _ = try await node.ask(SentMessage.self, "send", "-c", "games", "--url", "?1")
        let follower = try Follower(of: node, "--timeout", "0.2")
        try await eventually("the entry that it follows") { try follower.lineCount() == 1 }
        await #expect(node.end() == 0)
        let ended = try await follower.ended()
        #expect(ended.status == 69)
        #expect(ended.problem.kind == .noNode)
        #expect(ended.problem.message.contains("was not started again within 0.2 s"))
    }

    @Test func batchesThatWaitForInputDoNotKeepItFromStopping() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let input = Pipe()
        let sender = try Child(
            [Program.url.path, "send", "-c", "games", "--url", "-", "--data", node.data],
            environment: Program.clean,
            input: .descriptor(input.fileHandleForReading.fileDescriptor),
            output: directory.path("sender.output"),
            errors: directory.path("sender.errors")
        )
        try input.fileHandleForWriting.write(contentsOf: Data("?1\n".utf8))
        _ = try await node.waitForURL("?1")
        await #expect(node.end() == 0)
        _ = await sender.end()
        try input.fileHandleForWriting.close()
    }

    @Test(arguments: [false, true])
    func readinessIsToldToTheServiceManager(isAbstract: Bool) async throws {
        let directory = try TestDirectory()
        let listener = try NotifySocket(directory: directory, isAbstract: isAbstract)
        let node = try await NodeProcess(
            data: directory.path("node"),
            environment: ["NOTIFY_SOCKET": listener.name]
        )
        var told: [String] = []
        try await eventually("the notices") {
            while let notice = listener.receive() { told.append(notice) }
            return told.contains("READY=1") && told.contains { $0.hasPrefix("WATCHDOG=1\nSTATUS=") }
        }
        #expect(told.first?.hasPrefix("EXTEND_TIMEOUT_USEC=") == true)
        await node.end()
        while let notice = listener.receive() { told.append(notice) }
        #expect(told.contains("STOPPING=1"))
    }

    /// A node without a terminal reads its configuration again, and keeps its links.
    @Test func aHangUpReloadsTheConfiguration() async throws {
        let directory = try TestDirectory()
        let listener = try NotifySocket(directory: directory, isAbstract: false)
        let file = try directory.write("parley.yaml", Data("log: {level: warning}\n".utf8))
        let one = try await NodeProcess(data: directory.path("one"))
        let node = try await NodeProcess(
            data: directory.path("node"),
            more: ["--config", file],
            environment: ["NOTIFY_SOCKET": listener.name]
        )
        #expect(try await !node.log.contains("started"))
        let text = "log: {level: debug}\npeers: [\(try await one.address)]\nlimits: {links: 9}\n"
        _ = try directory.write("parley.yaml", Data(text.utf8))
        await node.signal(SIGHUP)
        let log = try await eventually("the new peer") {
            let log = try await node.log
            return log.contains("linked") && log.contains("need a restart") ? log : nil
        }
        #expect(log.contains("reloaded: peers, log.level"))
        #expect(log.contains(" info parley.links: "), "a label with a level of its own")
        #expect(log.contains("these need a restart: limits.links"))
        let without = "log: {level: debug}\nlimits: {links: 9}\n"
        _ = try directory.write("parley.yaml", Data(without.utf8))
        await node.signal(SIGHUP)
        try await eventually("what is said of a removed peer") {
            try await node.log.contains("peers that are named no more are dialled until a restart")
        }
        _ = try directory.write("parley.yaml", Data("log: {level: loud}\n".utf8))
        for _ in 1...100 { await node.signal(SIGHUP) }
        try await eventually("the refusal") { try await node.log.contains("nothing is reloaded") }
        #expect(try await node.log.contains("parley.yaml:1: "))
        #expect(try await node.run("status").status == 0)
        var told: [String] = []
        while let notice = listener.receive() { told.append(notice) }
        #expect(told.contains { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
        await #expect(node.end() == 0)
        await one.end()
    }

    /// Regression: a node that reloaded waited for a file that nobody served, and did not end.
    @Test func aConfigurationThatIsNotReadHoldsNothing() async throws {
        let directory = try TestDirectory()
        let listener = try NotifySocket(directory: directory, isAbstract: false)
        let file = try directory.write("parley.yaml", Data())
        let node = try await NodeProcess(
            data: directory.path("node"),
            more: ["--config", file],
            environment: ["NOTIFY_SOCKET": listener.name]
        )
        // The open of a pipe that has no writer waits as that of a file on a server that hangs.
        let pipe = directory.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0 && unlink(file) == 0 && symlink(pipe, file) == 0)
        await node.signal(SIGHUP)
        try await eventually("the reload") {
            listener.receive()?.hasPrefix("RELOADING=1") == true
        }
        #expect(try await node.run("status").status == 0)
        await #expect(node.end() == 0)
    }

    @Test func controlSocketIsForItsOwnerOnly() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        let attributes = try FileManager.default.attributesOfItem(
            atPath: node.data + "/control.sock"
        )
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        await node.end()
    }

    @Test func longDataDirectoryWorks() async throws {
        let directory = try TestDirectory()
        let name = String(repeating: "d", count: 120)
        let node = try await NodeProcess(data: directory.path(name))
        #expect(try await node.run("status").status == 0)
        await node.end()
    }

    @Test func relayRefusesWhatARelayDoesNot() async throws {
        let directory = try TestDirectory()
        let writer = try await NodeProcess(data: directory.path("writer"))
        let relay = try await NodeProcess(data: directory.path("relay"), more: ["--relay"])
        _ = try await writer.ask(Conversation.self, "conversation", "create", "games")
        #expect(try await relay.run("conversation", "create", "games").status == 77)
        let invite = try await writer.ask(Invite.self, "invite", "games")
        #expect(try await relay.run("join", invite.link).status == 77)
        let sealed = try await writer.ask(
            Invite.self,
            "invite",
            "games",
            "--role",
            "relay"
        )
        let joined = try await relay.ask(Conversation.self, "join", sealed.link)
        #expect(joined.role == .relay)
        #expect(try await relay.run("transcript", "-c", "games").status == 77)
        await writer.end()
        await relay.end()
    }
}

/// The notification socket of a service manager.
private final class NotifySocket: Sendable {
    let name: String
    private let descriptor: Int32

    init(directory: TestDirectory, isAbstract: Bool) throws {
        let path = directory.path("notify")
        name = isAbstract ? "@\(path)" : path
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(length))
            }
        }
        try #require(result == 0)
    }

    deinit {
        close(descriptor)
    }

    /// The next notification, nil if there is none.
    func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, Int32(truncatingIfNeeded: MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
