import Foundation
import ParleyAPI
import Synchronization
import TestSupport
import Testing

/// A backup has everything that was acknowledged, and a restore changes nothing unless it works.
@Suite(.timeLimit(.minutes(5)))
struct BackupTests {
    private struct Backup: Decodable {
        let device: String
        let identity: Bool
        let sessions: Int
        let damaged: Int
        let earlier: String?
    }

    /// The messages that were acknowledged, and whether no more are to be sent.
    private final class Sending: Sendable {
        private let urls = Mutex<[String]>([])
        private let ended = Mutex(false)

        var acknowledged: [String] { urls.withLock { $0 } }
        var isOver: Bool { ended.withLock { $0 } }

        func add(_ url: String) { urls.withLock { $0.append(url) } }
        func end() { ended.withLock { $0 = true } }
    }

    private static let keyDate = Date(timeIntervalSince1970: 1_700_000_000)

    /// A stopped node with one message and a backup of it, `node.backup`.
    private func stopped(_ directory: TestDirectory) async throws -> (data: String, file: String) {
        let file = directory.path("node.backup")
        let node = try await NodeProcess(data: directory.path("node"), name: "alice")
        try FileManager.default.setAttributes(
            [.modificationDate: Self.keyDate],
            ofItemAtPath: directory.path("node/device.key")
        )
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        _ = try await node.ask(SentMessage.self, "send", "-c", "games", "--url", "?one")
        let made = try await node.ask(Backup.self, "backup", file)
        #expect(made.sessions == 1 && made.identity && made.damaged == 0)
        let again = try await node.run("backup", file, "--json")
        #expect(again.status == 73)
        #expect(try again.problem().kind == .fileExists)
        let running = try await node.run("restore", file, "--json")
        #expect(running.status == 73)
        #expect(try running.problem().kind == .dataDirectoryInUse)
        await node.end()
        return (node.data, file)
    }

    private func files(of directory: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let path = "\(directory)/\(name)"
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
            guard name != "lock", type as? FileAttributeType == .typeRegular else { continue }
            files[name] = try Data(contentsOf: URL(filePath: path))
        }
        return files
    }

    @Test func whatWasAcknowledgedBeforeABackupUnderLoadIsThere() async throws {
        let pair = try await NodePair()
        let file = pair.directory.path("alice.backup")
        let sending = Sending()
        let before = try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...2 {
                group.addTask {
                    var number = 0
                    while !sending.isOver {
                        number += 1
                        let url = "?w\(writer)=\(number)"
                        let sent = try await pair.alice.run("send", "-c", "games", "--url", url)
                        try #require(sent.status == 0, "\(sent.errorText)")
                        sending.add(url)
                    }
                }
            }
            try await eventually("messages") { sending.acknowledged.count >= 6 }
            let before = sending.acknowledged
            _ = try await pair.alice.ask(Backup.self, "backup", file)
            let count = sending.acknowledged.count
            try await eventually("more messages") { sending.acknowledged.count > count + 2 }
            sending.end()
            try await group.waitForAll()
            return before
        }
        let all = Set(sending.acknowledged)
        let bob = pair.bob
        try await eventually("all at bob's") { try await Set(bob.transcript().map(\.url)) == all }
        await pair.alice.end(with: SIGKILL)

        let alone = pair.directory.path("alone")
        var restored = try await Program.run(["restore", file, "--data", alone])
        #expect(restored.status == 0, "\(restored.errorText)")
        let copy = try await NodeProcess(data: alone)
        let kept = try await Set(copy.transcript().map(\.url))
        #expect(kept.isSuperset(of: before) && kept.isSubset(of: all))
        await copy.end()

        restored = try await Program.run(["restore", file, "--data", pair.alice.data])
        #expect(restored.status == 0, "\(restored.errorText)")
        let peers = [try await bob.address]
        let alice = try await NodeProcess(data: pair.alice.data, name: "alice", peers: peers)
        #expect(try await alice.log.contains("a new epoch begins"))
        try await eventually("all again") { try await Set(alice.transcript().map(\.url)) == all }
        let arguments = ["send", "-c", "games", "--url", "?after", "--wait", "delivered=1"]
        let sent = try await Program.run(arguments + ["--data", alice.data])
        #expect(sent.status == 0, "\(sent.errorText)")
        _ = try await bob.waitForURL("?after")
        await alice.end()
        await bob.end()
    }

    /// Regression: where nothing can be written, the disk was said to have failed.
    @Test func aNodeThatStoppedIsReadWhereNothingCanBeWritten() async throws {
        let directory = try TestDirectory()
        let (data, _) = try await stopped(directory)
        try #require(chmod(data, 0o500) == 0)
        defer { chmod(data, 0o700) }
        // Root has to lose the capability; others have none.
        let user = "[ $(id -u) != 0 ] || set -- setpriv --bounding-set=-dac_override \"$@\"; \"$@\""
        func run(_ arguments: String...) async throws -> Program.Finished {
            try await Program.run(
                ["-c", user, "sh", Program.url.path] + arguments + ["--data", data],
                program: URL(filePath: "/bin/sh")
            )
        }
        let made = try await run("backup", directory.path("second.backup"), "--json")
        #expect(made.status == 0, "\(made.errorText)")
        #expect(try made.document(Backup.self).sessions == 1)
        #expect(try await run("verify").status == 0)
        // A log that SQLite would have to read, and no index of it.
        try #require(chmod(data, 0o700) == 0)
        _ = try directory.write("node/parley.sqlite-wal", Data())
        try #require(chmod(data, 0o500) == 0)
        let log = try await run("verify")
        #expect(log.status != 0 && log.errorText.contains("copy the directory to another disk"))
    }

    @Test func aDamagedOrForeignFileChangesNothing() async throws {
        let directory = try TestDirectory()
        let (data, file) = try await stopped(directory)
        let before = try files(of: data)
        let backup = try Data(contentsOf: URL(filePath: file))
        var changed = backup
        // The bytes of a message, which only the checksum of its row covers.
        let name = try #require(backup.range(of: Data("games".utf8)))
        changed[name.lowerBound] ^= 1
        let bad = [
            "damaged": changed, "cut": backup.prefix(backup.count / 2), "empty": Data(),
            "text": Data("no database".utf8),
            "node's": try Data(contentsOf: URL(filePath: "\(data)/parley.sqlite")),
        ]
        for (name, bytes) in bad {
            let path = try directory.write(name, bytes)
            let finished = try await Program.run(["restore", path, "--data", data, "--json"])
            #expect(finished.status == 65, "\(name): \(finished.errorText)")
            #expect(try finished.problem().message.contains("nothing was changed"), "\(name)")
            #expect(try files(of: data) == before, "\(name)")
        }
        let missing = try await Program.run(["restore", directory.path("no"), "--data", data])
        #expect(missing.status == 74)

        let forced = try await Program.run([
            "restore", directory.path("damaged"), "--force", "--data", data, "--json",
        ])
        #expect(forced.status == 0, "\(forced.errorText)")
        let document = try forced.document(Backup.self)
        #expect(document.damaged > 0)
        let earlier = try files(of: try #require(document.earlier))
        #expect(Set(before.keys).isSubset(of: earlier.keys))
        #expect(earlier["parley.sqlite"] == before["parley.sqlite"])
    }

    /// Regression: a mount point among the files left a directory without a database.
    @Test(.enabled(if: geteuid() == 0, "needs root to mount"))
    func aFailureInTheMiddleMovesAllBack() async throws {
        let directory = try TestDirectory()
        let (data, file) = try await stopped(directory)
        let before = try files(of: data)
        let mount = "mkdir $1/apps && mount -t tmpfs none $1/apps && exec $0 restore $2 --data $1"
        let script = ["-m", "sh", "-c", mount, Program.url.path, data, file]
        let finished = try await Program.run(script, program: URL(filePath: "/usr/bin/unshare"))
        #expect(finished.status == 74 && finished.errorText.contains("apps"))
        #expect(try files(of: data) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        #expect(!names.contains { $0.hasPrefix("replaced-") || $0 == "restore.new" })
    }

    @Test func aStoppedNodeIsSavedAndMayBecomeAnotherDevice() async throws {
        let directory = try TestDirectory()
        let (data, first) = try await stopped(directory)
        let apps = "\(data)/apps/draw"
        try FileManager.default.createDirectory(
            atPath: apps,
            withIntermediateDirectories: true
        )
        try Data("a picture".utf8).write(to: URL(filePath: "\(apps)/picture"))
        let file = directory.path("without.backup")
        let saved = try await Program.run([
            "backup", file, "--without-identity", "--data", data, "--json",
        ])
        #expect(saved.status == 0, "\(saved.errorText)")
        let contents = try saved.document(Backup.self)
        #expect(!contents.identity)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        let bytes = try Data(contentsOf: URL(filePath: file))
        #expect(bytes.range(of: Data("PRIVATE KEY".utf8)) == nil)

        let other = directory.path("other")
        let restored = try await Program.run(["restore", file, "--data", other])
        #expect(restored.status == 0, "\(restored.errorText)")
        let picture = try Data(contentsOf: URL(filePath: "\(other)/apps/draw/picture"))
        #expect(picture == Data("a picture".utf8))
        let node = try await NodeProcess(data: other)
        let status = try await node.ask(NodeStatus.self, "status")
        #expect(status.previousDevice == contents.device && status.device != contents.device)
        #expect(try await node.transcript().map(\.url) == ["?one"])
        await node.end()

        // The key of a directory stays if the backup has none.
        let kept = try Data(contentsOf: URL(filePath: "\(other)/device.key"))
        let again = try await Program.run(["restore", file, "--data", other])
        #expect(again.status == 0, "\(again.errorText)")
        #expect(try files(of: other)["device.key"] == kept)
        let whole = try await Program.run(["restore", first, "--data", other])
        #expect(whole.status == 0, "\(whole.errorText)")
        #expect(try files(of: other)["device.key"] == files(of: data)["device.key"])
        // Regression: a key was as old as its restore.
        let shown = try await Program.run(["identity", "show", "--data", other])
        #expect(shown.text.contains(", since \(Self.keyDate.formatted(.iso8601))\n"))
        let database = try Data(contentsOf: URL(filePath: "\(other)/parley.sqlite"))
        #expect(database.range(of: Data("PRIVATE KEY".utf8)) == nil)
    }

    @Test func aKeyIsShownAndChanged() async throws {
        let directory = try TestDirectory()
        let (data, _) = try await stopped(directory)
        struct Identity: Decodable {
            let device: String
            let previousDevice: String?
            let previousKey: String?
        }
        let key = try Data(contentsOf: URL(filePath: "\(data)/device.key"))
        let shown = try await Program.run(["identity", "show", "--data", data, "--json"])
        let before = try shown.document(Identity.self)
        let rotated = try await Program.run(["identity", "rotate", "--data", data, "--json"])
        let after = try rotated.document(Identity.self)
        #expect(after.previousDevice == before.device && after.device != before.device)
        let earlier = URL(filePath: try #require(after.previousKey))
        #expect(try Data(contentsOf: earlier) == key)
        let node = try await NodeProcess(data: data)
        let status = try await node.ask(NodeStatus.self, "status")
        #expect(status.device == after.device && status.previousDevice == before.device)
        #expect(try await node.transcript().map(\.url) == ["?one"])
        let refused = try await node.run("identity", "rotate", "--json")
        #expect(try refused.problem().kind == .dataDirectoryInUse)
        await node.end()
        let nobody = try await Program.run([
            "identity", "show", "--json", "--data", directory.path("nobody"),
        ])
        #expect(nobody.status == 73)
    }
}
