import Foundation
import GRDB
import ParleyKeys
import ParleyNode
import Synchronization
import TestSupport
import Testing

/// Backups and restores in directories where others write, and what they leave out or refuse.
@Suite(.timeLimit(.minutes(5)))
struct DirectoryCareTests {
    private let directory: TestDirectory
    private let nodes: TestNodes
    private let now = Date()

    init() throws {
        directory = try TestDirectory()
        nodes = try TestNodes()
    }

    private var data: URL { nodes.root.appending(path: "one") }
    private var file: URL { directory.url.appending(path: "node.backup") }

    /// Stops a node with a message in one conversation.
    private func stop() async throws {
        _ = try await nodes.startWithMessage()
        await nodes.stopAll()
    }

    private func backup(
        replacing: Bool = false,
        leastFree: Int = 0,
        withIdentity: Bool = true,
        to file: URL? = nil
    ) throws -> BackupContents {
        try DirectoryBackup(of: data, to: file ?? self.file).make(
            withIdentity: withIdentity,
            replacing: replacing,
            leastFree: leastFree,
            at: now
        )
    }

    private func restore(to name: String) throws -> DirectoryRestore.Restored {
        let target = directory.url.appending(path: name)
        return try DirectoryRestore(of: file, to: target, at: now).run(force: false)
    }

    private func error(_ body: () throws -> Void) -> CareError? {
        do { try body() } catch { return error as? CareError }
        return nil
    }

    /// Regression: one took the other's draft away, and the one that was saved was empty.
    @Test func backupsToOneFileAtOnceAreAllWhole() async throws {
        try await stop()
        _ = try backup()
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                _ = try backup(replacing: true)
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        #expect(try restore(to: "copy").contents.sessions == 1)
    }

    /// Regression: pages came from a log that somebody else had put there.
    @Test func aLogBesideTheBackupIsNotBelieved() async throws {
        try await stop()
        _ = try backup()
        let other = directory.path("other")
        try FileManager.default.copyItem(atPath: file.path, toPath: other)
        let writer = try DatabaseQueue(path: other)
        try await writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; UPDATE backup SET made = 1")
        }
        try FileManager.default.copyItem(atPath: other + "-wal", toPath: file.path + "-wal")
        let restored = try restore(to: "copy")
        #expect(abs(restored.made.timeIntervalSince(now)) < 2)
    }

    /// Regression: one flipped bit was reported as a disk without space.
    @Test func noFlippedBitOfTheHeaderIsAFullDisk() async throws {
        try await stop()
        _ = try backup()
        let whole = try Data(contentsOf: file)
        for byte in [16, 18, 20, 28, 31, 35, 39, 52, 56] {
            var changed = whole
            changed[byte] ^= 0x40
            try changed.write(to: file)
            do {
                _ = try restore(to: "copy-\(byte)")
            } catch CareError.file(_, let reason) {
                Issue.record("byte \(byte): \(reason)")
            } catch CareError.directory(let error) {
                Issue.record("byte \(byte): \(error)")
            } catch {
                continue
            }
        }
    }

    @Test func linksAndPipesAreNamedAsLeftOut() async throws {
        try await stop()
        let apps = data.appending(path: "apps").path
        #expect(mkdir(apps, 0o700) == 0 && mkfifo(apps + "/pipe", 0o600) == 0)
        #expect(symlink("/nowhere", apps + "/link") == 0)
        #expect(try backup().leftOut == ["apps/link", "apps/pipe"])
        let key = data.appending(path: "device.key").path
        #expect(rename(key, directory.path("key")) == 0)
        #expect(symlink(directory.path("key"), key) == 0)
        guard case .file(let path, _) = error({ _ = try backup(replacing: true) }) else {
            Issue.record("A key behind a link was saved.")
            return
        }
        #expect(path == key)
        #expect(try backup(replacing: true, withIdentity: false).leftOut.count == 2)
    }

    @Test func placesThatABackupDoesNotTake() async throws {
        try await stop()
        let own = data.appending(path: "parley.sqlite")
        guard case .exists = error({ _ = try backup(to: own) }),
            case .amongFiles = error({ _ = try backup(replacing: true, to: own) }),
            case .amongFiles = error({ _ = try backup(to: data.appending(path: "b")) }),
            case .scarce = error({
                _ = try backup(leastFree: 1 << 60, to: nodes.root.appending(path: "b"))
            })
        else {
            Issue.record("A file of the node was replaced, or its disk filled.")
            return
        }
        #expect(symlink(own.path, file.path) == 0)
        guard case .notReplaceable = error({ _ = try backup(replacing: true) }) else {
            Issue.record("A link was replaced.")
            return
        }
    }

    @Test func theKeyThatIsSavedIsNamed() async throws {
        try await stop()
        let (earlier, before, after) = try DirectoryIdentity.rotate(in: data, at: now)
        #expect(try backup().device == after.device)
        #expect(try restore(to: "copy").contents.device == after.device)
        #expect(throws: (any Error).self) { try DirectoryIdentity.rotate(in: data, at: now) }
        #expect(try DirectoryIdentity(of: data).device == after.device)
        #expect(unlink(after.file.path) == 0)
        guard
            case .directory(.dataDirectoryUnusable(_, _, let hint)) =
                error({ _ = try DirectoryIdentity(of: data) })
        else {
            Issue.record("A key that is lost was not missed.")
            return
        }
        #expect(hint.contains("Rename \(earlier.lastPathComponent) to device.key"))
        #expect(rename(earlier.path, before.file.path) == 0)
        #expect(try DirectoryIdentity(of: data).device == before.device)
    }

    @Test func devicesThatWereBlockedAreNamed() async throws {
        try await stop()
        _ = try backup()
        _ = try restore(to: "copy")
        let device = DeviceKey.random().id.text
        let list = #"[{"device": "\#(device)", "name": "bob", "list": "blocked"}]"#
        _ = try directory.write("copy/devices.json", Data(list.utf8))
        #expect(try restore(to: "copy").unblocked == ["bob"])
    }

    /// Regression: each small file took a buffer as large as the limit.
    @Test func filesWithoutASizeAreReadToTheirEnd() throws {
        let file = KeptFile(path: "/proc/self/status")
        let bytes = try #require(try file.read(atMost: 1 << 20))
        #expect(bytes.count > 500)
        let error = #expect(throws: KeptFile.Failure.self) { try file.read(atMost: 100) }
        #expect(error?.code == EFBIG)
    }
}
