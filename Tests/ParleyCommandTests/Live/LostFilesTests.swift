import Foundation
import ParleyAPI
import TestSupport
import Testing

/// The state in which a person finds a data directory that has lost something, and the remedies.
@Suite(.timeLimit(.minutes(5)))
struct LostFilesTests {
    /// Starts a node that must refuse to start, and returns what it says.
    private func refusal(of data: String) async throws -> Program.Finished {
        let finished = try await Program.run([
            "node", "--no-web", "--no-discovery", "--listen", "127.0.0.1:0", "--data", data,
        ])
        #expect(finished.status == 73)
        return finished
    }

    /// Regression: the advice after a leak led to a node whose links ended as forged for ever.
    @Test func theAdviceAfterALeakedKeyHelps() async throws {
        let directory = try TestDirectory()
        let bob = try await NodeProcess(data: directory.path("bob"), name: "bob")
        _ = try await bob.ask(Conversation.self, "conversation", "create", "games")
        let invite = try await bob.ask(Invite.self, "invite", "games").link
        let peers = [try await bob.address]
        let alice = directory.path("alice")
        var node = try await NodeProcess(data: alice, name: "alice", peers: peers)
        _ = try await node.run("join", "-", input: Data(invite.utf8))
        let before = try await node.ask(NodeStatus.self, "status")
        let first = try await node.run(
            "send",
            "-c",
            "games",
            "--url",
            "?1",
            "--wait",
            "delivered=1"
        )
        #expect(first.status == 0, "\(first.errorText)")
        await #expect(node.end() == 0)

        let key = "\(alice)/device.key"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let advice = try await refusal(of: alice).errorText
        #expect(advice.contains("chmod 600") && advice.contains("move it away"), "\(advice)")
        try FileManager.default.moveItem(atPath: key, toPath: directory.path("leaked.key"))

        node = try await NodeProcess(data: alice, name: "alice", peers: peers)
        let status = try await node.ask(NodeStatus.self, "status")
        #expect(status.device != before.device)
        #expect(status.previousDevice == before.device)
        #expect(try await node.run("status").text.contains("this data directory was device"))
        #expect(try await node.log.contains("device changed: the data directory was device"))
        let second = try await node.run(
            "send",
            "-c",
            "games",
            "--url",
            "?2",
            "--wait",
            "delivered=1"
        )
        #expect(second.status == 0, "\(second.errorText)")
        let answer = try await bob.run(
            "send",
            "-c",
            "games",
            "--url",
            "?3",
            "--wait",
            "delivered=1"
        )
        #expect(answer.status == 0, "\(answer.errorText)")
        #expect(try await bob.transcript().map(\.url) == ["?1", "?2", "?3"])
        #expect(try await !bob.log.contains("refused"))
        #expect(try await node.ask(NodeStatus.self, "status").links == 1)
        await #expect(node.end() == 0)
        await #expect(bob.end() == 0)
    }

    /// Regression: beside the key of a device, a missing or empty database meant a new node.
    @Test(arguments: [false, true])
    func aLostDatabaseIsRefused(isEmpty: Bool) async throws {
        let directory = try TestDirectory()
        let data = directory.path("node")
        let database = "\(data)/parley.sqlite"
        var node = try await NodeProcess(data: data)
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let device = try await node.ask(NodeStatus.self, "status").device
        await #expect(node.end() == 0)
        try FileManager.default.moveItem(atPath: database, toPath: directory.path("kept"))
        if isEmpty {
            #expect(FileManager.default.createFile(atPath: database, contents: nil))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: database
            )
        }
        for _ in 0..<2 {
            let advice = try await refusal(of: data).errorText
            #expect(advice.contains("from a backup, or move it"), "\(advice)")
            #expect(advice.contains("move device.key away"), "\(advice)")
        }
        if isEmpty { try FileManager.default.removeItem(atPath: database) }
        try FileManager.default.moveItem(atPath: directory.path("kept"), toPath: database)
        node = try await NodeProcess(data: data)
        #expect(try await node.ask(NodeStatus.self, "status").conversations == 1)
        await #expect(node.end() == 0)

        // The other advice: to begin without it.
        for name in ["parley.sqlite", "device.key"] {
            try FileManager.default.removeItem(atPath: "\(data)/\(name)")
        }
        node = try await NodeProcess(data: data)
        let anew = try await node.ask(NodeStatus.self, "status")
        #expect(anew.conversations == 0)
        #expect(anew.device != device)
        await #expect(node.end() == 0)
    }

    /// Regression: after the first failed write, every later command said that the disk was full.
    ///
    /// The kernel refuses to let the database grow: a limit of the process, and no full disk.
    @Test func theReasonOfAFailingDiskIsGivenEachTime() async throws {
        let directory = try TestDirectory()
        let program = try directory.write(
            "limited",
            Data(
                "#!/bin/sh\ntrap '' XFSZ\nulimit -f 2048\nexec '\(Program.url.path)' \"$@\"\n".utf8
            )
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let data = directory.path("node")
        let node = try await NodeProcess(data: data, program: URL(filePath: program))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let lines = String(repeating: "?\(String(repeating: "a", count: 4_900))\n", count: 300)
        let send = ["send", "-c", "games", "--data", data, "--url"]
        // The store writes its log anew where it can, so it takes some messages to fill the limit.
        for isSending in [true, false] {
            try await eventually("the refusal") {
                _ = try await Program.run(send + ["-"], input: Data(lines.utf8))
                let other = ["conversation", "create", UUID().uuidString, "--data", data]
                let failed = try await Program.run(isSending ? send + ["?"] : other)
                guard failed.status == 74 else { return false }
                #expect(failed.errorText.contains("The disk failed under"), "\(failed.errorText)")
                #expect(!failed.errorText.contains("Free some space"), "\(failed.errorText)")
                return true
            }
        }
        await #expect(node.end() == 0)
    }

    /// The readers of a core dump have the keys in it.
    @Test func aNodeLeavesNoCoreDump() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        let process = String(decoding: try directory.contents("node/lock"), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 +0 /#), "\(limits)")
        await #expect(node.end() == 0)
    }

    /// Regression: files that are never empty meant nothing when they were.
    @Test func aDamagedFileIsSaid() async throws {
        let directory = try TestDirectory()
        let data = directory.path("node")
        try FileManager.default.createDirectory(
            atPath: data,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        for name in ["joined", "arrivals.json", "name"] {
            _ = try directory.write("node/\(name)", Data())
        }
        let node = try await NodeProcess(data: data)
        let log = try await node.log
        #expect(log.contains("the file joined in the data directory is damaged"), "\(log)")
        #expect(log.contains("are not known any more"), "\(log)")
        await #expect(node.end() == 0)
    }
}
