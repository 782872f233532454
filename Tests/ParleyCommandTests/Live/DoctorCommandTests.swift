import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// `parley doctor` on this machine; the lab has the faults of a network.
@Suite(.timeLimit(.minutes(5)))
struct DoctorCommandTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            let check: String
            let state: String
            let evidence: String
            let cure: String?
        }

        let state: String
        let findings: [Finding]

        func finding(_ check: String) -> Finding? { findings.first { $0.check == check } }
    }

    /// One device was thrown out, and another one has only the invite to present keys.
    @Test func missingKeysAreNamed() async throws {
        let files = try TestDirectory()
        let ada = try await NodeProcess(data: files.path("ada"), name: "ada")
        _ = try await ada.ask(Conversation.self, "conversation", "create", "games")
        let yan = try await NodeProcess(
            data: files.path("yan"),
            name: "yan",
            peers: [try await ada.address]
        )
        let old = try await ada.ask(Invite.self, "invite", "games").link
        _ = try await yan.ask(Conversation.self, "join", old)
        try await eventually("yan at ada") {
            try await ada.ask([Member].self, "conversation", "members", "games").count == 2
        }
        _ = try await ada.ask(
            KeyChange.self,
            "conversation",
            "rotate",
            "games",
            "--without",
            "yan",
            "--yes"
        )
        let new = try await ada.ask(Invite.self, "invite", "games").link
        try await eventually("the news at yan") {
            let report = try await yan.run("doctor", "--json").document(Report.self)
            let keys = try #require(report.finding("keys"))
            return keys.state == "warning" && keys.evidence.contains("games: ada changed the keys")
                && keys.cure?.contains("parley conversation leave games") == true
        }
        let zoe = try await NodeProcess(data: files.path("zoe"), name: "zoe")
        let before = try await zoe.run("doctor", "--json").document(Report.self)
        #expect(before.finding("keys")?.state == "ok")
        _ = try await zoe.ask(Conversation.self, "join", new)
        let keys = try await zoe.run("doctor", "--json").document(Report.self).finding("keys")
        #expect(keys?.state == "warning" && keys?.evidence.contains("have not come yet") == true)
        for node in [ada, yan, zoe] { await node.end() }
    }

    /// Files that others may read, a peer that is gone, a copy of the node, and descriptors that
    /// are nearly used up.
    @Test func aNodeIsLookedAt() async throws {
        let files = try TestDirectory()
        let (gone, closed) = (files.path("gone"), files.path("node"))
        // At an address of its own no other test gets the port.
        let other = try await NodeProcess(data: gone, listen: "127.0.0.9:0")
        let address = try await other.address
        await other.end()
        unlink("\(gone)/control.sock")
        try FileManager.default.copyItem(atPath: gone, toPath: closed)
        let node = try await NodeProcess(data: closed, peers: [address])
        let copy = try await NodeProcess(data: gone, peers: [try await node.address])
        try await eventually("the copy") {
            try await node.ask(NodeStatus.self, "status").copy != nil
        }
        await copy.end()
        let clients = try await Self.nearlyUseUpDescriptors(of: node)
        defer { for client in clients { close(client) } }
        chmod("\(closed)/device.key", 0o644)
        // The address without its port is known as well.
        let finished = try await node.run("doctor", "127.0.0.9", "--format", "json")
        let report = try finished.document(Report.self)
        #expect(finished.status == 2)
        let rights = try #require(report.finding("data-directory"))
        #expect(rights.state == "critical" && rights.evidence.contains("device.key"))
        #expect(rights.cure == "chmod go= \(closed)/device.key")
        for check in ["descriptors", "identity"] {
            #expect(report.finding(check)?.state == "critical", "\(check): \(report)")
        }
        for check in ["disk-space", "disk-sync", "node", "store"] {
            #expect(report.finding(check)?.state == "ok", "\(check): \(report)")
        }
        #expect(report.finding("avahi")?.state == "skipped", "--no-discovery")
        let peer = try #require(report.finding("peer-address"))
        #expect(peer.state == "critical" && peer.evidence.contains("nothing listens on that port"))
        await node.end()
    }

    /// Opens connections to a node, and lets it open few descriptors more than its reserve.
    private static func nearlyUseUpDescriptors(of node: NodeProcess) async throws -> [Int32] {
        let folder = "/proc/\(node.processID)/fd"
        let before = try FileManager.default.contentsOfDirectory(atPath: folder).count
        let clients = try (0..<60).map { _ in try ControlSocketClient.connection(to: node) }
        let open = try await eventually("the connections") {
            let open = try FileManager.default.contentsOfDirectory(atPath: folder).count
            return open >= before + clients.count ? open : nil
        }
        let limited = try Child(
            ["/usr/bin/prlimit", "--pid=\(node.processID)", "--nofile=\(open + 24)"],
            environment: [:],
            output: "/dev/null",
            errors: "/dev/null"
        )
        try #require(await limited.end() == 0)
        return clients
    }

    /// A disk of its own that is full.
    @Test(.enabled(if: geteuid() == 0, "a file system needs root"))
    func aFullDiskIsFound() async throws {
        let files = try TestDirectory()
        let script = """
            mount -t tmpfs -o size=80m,mode=0700 none "$1"
            "$0" node --data "$1" --no-web --no-discovery --listen 127.0.0.1:0 >/dev/null &
            until "$0" status --data "$1"; do sleep 0.02; done >/dev/null 2>&1
            dd if=/dev/zero of="$1/rest" bs=1M >/dev/null 2>&1
            "$0" conversation create games --data "$1" >/dev/null 2>&1
            chown 5 "$1/parley.sqlite"
            "$0" doctor --json --data "$1"
            kill -9 $!
            """
        try await Self.runWithMounts(script, in: files)
        let report = try JSON.decode(Report.self, from: files.contents("output"))
        for check in ["data-directory", "disk-space", "disk-sync"] {
            #expect(report.finding(check)?.state == "critical", "\(check): \(report)")
        }
        #expect(report.finding("store")?.state == "warning", "\(report)")
        let sync = report.finding("disk-sync")?.evidence
        #expect(sync?.contains("No space left on device") == true)
    }

    /// A disk that has little left, and then no file, and a node that may open few.
    @Test(.enabled(if: geteuid() == 0, "a file system needs root"))
    func aDiskThatFillsUpIsFound() async throws {
        let files = try TestDirectory()
        let script = """
            mount -t tmpfs -o size=300m,nr_inodes=64,mode=0700 none "$1"
            ulimit -n 256
            "$0" node --data "$1" --no-web --no-discovery --listen 127.0.0.1:0 >/dev/null &
            until "$0" status --data "$1"; do sleep 0.02; done >/dev/null 2>&1
            "$0" doctor --json --data "$1"
            n=0
            while touch "$1/rest$n"; do n=$((n + 1)); done 2>/dev/null
            "$0" doctor --json --data "$1" >"$1/../later"
            kill -9 $!
            """
        try await Self.runWithMounts(script, in: files)
        let report = try JSON.decode(Report.self, from: files.contents("output"))
        for check in ["disk-space", "descriptors"] {
            #expect(report.finding(check)?.state == "warning", "\(check): \(report)")
            #expect(report.finding(check)?.cure != nil)
        }
        let later = try JSON.decode(Report.self, from: files.contents("later"))
        let space = try #require(later.finding("disk-space"))
        #expect(space.state == "critical" && space.evidence.contains(" 0 files free"))
        #expect(space.cure?.contains("--inodes") == true)
    }

    /// Runs a script with the program and a directory on which it may mount something.
    private static func runWithMounts(_ script: String, in files: TestDirectory) async throws {
        let data = files.path("data")
        try FileManager.default.createDirectory(
            atPath: data,
            withIntermediateDirectories: false
        )
        let child = try Child(
            ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, Program.url.path, data],
            environment: Program.clean,
            output: files.path("output"),
            errors: files.path("errors")
        )
        _ = await child.end()
    }

    /// A node that says nothing may be one without discovery.
    @Test func withoutANodeEveryFormSaysSo() async throws {
        let files = try TestDirectory()
        async let json = Program.run(
            ["doctor", "--data", files.path("none"), "--json"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(files.path("no-bus"))"]
        )
        async let text = Program.run(["doctor", "--data", files.path("none")])
        async let nagios = Program.run([
            "doctor", "--data", files.path("none"), "--format", "nagios",
        ])
        async let metrics = Program.run(
            ["doctor", "--data", files.path("none"), "--format", "prometheus"]
        )
        #expect(try await text.status == 2)
        #expect(try await text.text.contains("✗ node"))
        let bus = try #require(try await json.document(Report.self).finding("avahi"))
        #expect(bus.state == "skipped" && bus.evidence.hasPrefix("no D-Bus system bus"))
        let line = try await nagios.text
        #expect(line.hasPrefix("PARLEY CRITICAL - ") && line.split(separator: "\n").count == 1)
        #expect(try await metrics.text.contains(#"parley_doctor_critical{check="node"} 1"#))
        let wrong = try await Program.run(["doctor", "--format", "xml"])
        #expect(wrong.status == 64)
    }
}
