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

    /// A store keeps its reserve free, goes on once an eighth more is free, and forgets a
    /// conversation at any time.
    @Test(.enabled(if: getuid() == 0, "needs root, to mount a small file system"))
    func keepsAReserve() async throws {
        let disk = try SmallDisk(kibibytes: 4_096)
        let ballast = disk.path + "/ballast"
        let directory = try DataDirectory(path: disk.path + "/data")
        let store = try SQLiteStore(in: directory, freeBytesMin: 1 << 20)
        for number in UInt32(1)...2 {
            _ = try store.commit([.conversation(Values.conversation(number))])
        }
        let free = store.space.free
        let session = [StoreWrite.session(Values.session(1, heads: [Values.head(1, 1)]))]
        // Less than the reserve; then more, and not yet an eighth.
        for rest in [15 << 16, 17 << 16] {
            try Data(count: free - rest).write(to: URL(fileURLWithPath: ballast))
            #expect {
                try store.commit(session)
            } throws: { error in
                guard case StoreError.scarce(_, let free, 1_048_576) = error else { return false }
                return free <= rest
            }
        }
        _ = try store.commit([.conversationLeft(2)])
        #expect(throws: StoreError.self) { try store.commit(session) }

        let node = QueueOnLoop(store, retryMilliseconds: 2)
        node.submit(ticket: 1, writes: session)
        guard case .blocked(1, .scarce)? = await node.report() else {
            Issue.record("the write was not refused")
            return
        }
        try FileManager.default.removeItem(atPath: ballast)
        #expect(await node.committed(1) == 1)
        #expect(try store.recover().recovery.conversations.map(\.record.number) == [1])
        await node.stop()
        directory.release()
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
