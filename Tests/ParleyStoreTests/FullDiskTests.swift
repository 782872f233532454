import Foundation
import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// On a full disk nothing is acknowledged and nothing is lost, and commits resume by themselves
/// when there is space.
@Suite(.timeLimit(.minutes(5))) struct FullDiskTests {
    @Test(.enabled(if: getuid() == 0, "needs root, to mount a small file system"))
    func resumesWhenThereIsSpaceAgain() async throws {
        let disk = try SmallDisk(kibibytes: 4_096)
        let ballast = disk.path + "/ballast"
        let directory = try DataDirectory(path: disk.path + "/data")
        try Data(count: 2 << 20).write(to: URL(fileURLWithPath: ballast))
        let store = try SQLiteStore(in: directory)
        let node = QueueOnLoop(store)
        node.submit(ticket: 1, writes: [.conversation(Values.conversation(1))])
        #expect(await node.committed(1) == 1)
        var ticket: UInt64 = 1
        var blocked: CommitReport?
        while blocked == nil, ticket < 200 {
            ticket += 1
            let row = Values.session(Int64(ticket), heads: [Values.head(1, ticket, bytes: 60_000)])
            node.submit(ticket: ticket, writes: [.session(row)])
            let report = await node.report()
            if report != .committed(through: ticket, .none) { blocked = report }
        }
        #expect(blocked == .blocked(through: ticket, .full(path: store.path)))
        #expect(try store.heads(ofRow: Int64(ticket)).isEmpty)
        let system = try FileManager.default.attributesOfFileSystem(forPath: disk.path)
        #expect(try #require(system[.systemFreeSize] as? Int) < 1 << 20)

        try FileManager.default.removeItem(atPath: ballast)
        node.queue.retry()
        #expect(await node.committed(ticket) == ticket)
        await node.stop()
        directory.release()

        let reopened = try SQLiteStore(in: DataDirectory(path: disk.path + "/data"))
        var rows: [Int64] = []
        let damage = try reopened.recoverSessions { rows.append($0.row) }
        #expect(damage.isEmpty)
        #expect(rows == Array(2...Int64(ticket)))
        reopened.close()
    }

    @Test(.enabled(if: getuid() == 0, "needs root, to mount a small file system"))
    func saysSoWhenItCannotEvenBeOpened() throws {
        let disk = try SmallDisk(kibibytes: 512)
        let directory = try DataDirectory(path: disk.path + "/data")
        try Data(count: 500 << 10).write(to: URL(fileURLWithPath: disk.path + "/ballast"))
        #expect {
            try SQLiteStore(in: directory)
        } throws: { error in
            guard case StoreError.full = error else { return false }
            return true
        }
        directory.release()
    }
}

/// A file system in memory of a given size, which is unmounted with its owner.
private final class SmallDisk: Sendable {
    private let scratch: Scratch
    let path: String

    init(kibibytes: Int) throws {
        scratch = try Scratch()
        path = scratch.path
        try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path])
    }

    deinit {
        // A mount that stays now disappears with the mount namespace or at the next boot.
        try? Self.run("umount", ["--lazy", path])
    }

    private static func run(_ name: String, _ arguments: [String]) throws {
        let child = try Child(
            ["/usr/bin/\(name)"] + arguments,
            environment: [:],
            output: "/dev/null",
            errors: "/dev/null"
        )
        guard child.waitForEnd() == 0 else { throw CocoaError(.executableLoad) }
    }
}
