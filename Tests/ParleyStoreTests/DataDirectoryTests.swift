import Foundation
import ParleyCore
import ParleyStore
import Testing

/// The data directory is created, closed to other users, locked, and distinguished from copies.
@Suite struct DataDirectoryTests {
    @Test func makesItForTheOwnerAlone() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/a/b/c"
        let directory = try DataDirectory(path: path)
        let store = try SQLiteStore(in: directory)
        _ = try store.commit([.epoch(Epoch(1))])
        #expect(try scratch.mode(of: scratch.path + "/a") == 0o700)
        #expect(try scratch.mode(of: path) == 0o700)
        for name in ["lock", "parley.sqlite", "parley.sqlite-wal", "parley.sqlite-shm"] {
            #expect(try scratch.mode(of: "\(path)/\(name)") == 0o600, "\(name)")
        }
        store.close()
        directory.release()
    }

    @Test func closesAnEmptyDirectoryToOthers() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.data,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        try scratch.open().close()
        #expect(try scratch.mode(of: scratch.data) == 0o700)
    }

    @Test func refusesADirectoryThatOthersMayRead() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try scratch.setMode(0o750, of: scratch.data)
        let error = StoreError.tooOpen(path: scratch.data, mode: 0o750)
        #expect(throws: error) { try scratch.open() }
        #expect(error.description.contains("chmod go= \(scratch.data)"))
    }

    /// Regression: the advice for /etc was to close it to others.
    @Test func refusesAnotherProgramsDirectory() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.data,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(scratch.data)/passwd"))
        let error = StoreError.occupied(path: scratch.data)
        #expect(throws: error) { try scratch.open() }
        #expect(!error.description.contains("chmod"))
        #expect(try scratch.mode(of: scratch.data) == 0o755)
    }

    @Test func refusesADatabaseThatOthersMayRead() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        try scratch.setMode(0o640, of: scratch.database)
        let error = StoreError.tooOpen(path: scratch.database, mode: 0o640)
        #expect(throws: error) { try scratch.open() }
    }

    /// Regression: a node of root used, and wrote, the files of another user.
    @Test(
        .enabled(if: getuid() == 0, "needs root, to give files away"),
        arguments: [false, true]
    )
    func refusesWhatBelongsToAnotherUser(isDatabase: Bool) throws {
        let scratch = try Scratch()
        try scratch.open().close()
        let path = isDatabase ? scratch.database : scratch.data
        #expect(chown(path, 65_534, 65_534) == 0)
        let error = StoreError.foreignOwner(path: path, owner: 65_534, user: 0)
        #expect(throws: error) { try scratch.open() }
        #expect(error.description.contains("chown -R 0 \(path)"))
        #expect(chown(path, 0, 0) == 0)
        try scratch.open().close()
    }

    @Test func refusesWhatIsNoDirectory() throws {
        let scratch = try Scratch()
        try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.data))
        #expect {
            try scratch.open()
        } throws: { error in
            guard case StoreError.unreachable(scratch.data, _) = error else { return false }
            return true
        }
    }

    @Test func refusesADatabaseThatIsALink() throws {
        let scratch = try Scratch()
        try scratch.open().close()
        let elsewhere = scratch.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: scratch.database, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.database,
            withDestinationPath: elsewhere
        )
        #expect {
            try scratch.open()
        } throws: { error in
            guard case StoreError.unreachable(scratch.database, _) = error else { return false }
            return true
        }
    }

    /// The lock works within one process too, and is free again after `release`.
    @Test func admitsOneOwnerAtATime() throws {
        let scratch = try Scratch()
        let first = try scratch.open()
        let error = StoreError.inUse(path: scratch.data, process: getpid())
        #expect(throws: error) { try scratch.open() }
        first.close()
        try scratch.open().close()
    }

    /// The kernel releases the lock of a process that died.
    @Test func isFreeAfterItsOwnerDied() async throws {
        let scratch = try Scratch()
        let path = scratch.data
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            _ = try DataDirectory(path: path)
            kill(getpid(), SIGKILL)
        }
        try scratch.open().close()
    }

    @Test func keepsTheEpochWhereItWasMade() throws {
        let scratch = try Scratch()
        try commitEpoch(in: scratch)
        #expect(try epoch(in: scratch.data) == Epoch(5))
        // Renaming the directory does not change its location.
        let moved = scratch.path + "/moved"
        try FileManager.default.moveItem(atPath: scratch.data, toPath: moved)
        #expect(try epoch(in: moved) == Epoch(5))
    }

    @Test func asksForANewEpochInACopy() throws {
        let scratch = try Scratch()
        try commitEpoch(in: scratch)
        let copy = scratch.path + "/copy"
        try FileManager.default.copyItem(atPath: scratch.data, toPath: copy)
        try scratch.setMode(0o700, of: copy)
        #expect(try epoch(in: copy) == nil)
        #expect(try epoch(in: scratch.data) == Epoch(5))
    }

    @Test func asksForANewEpochAfterARestore() throws {
        let scratch = try Scratch()
        try commitEpoch(in: scratch)
        let backup = scratch.path + "/backup"
        try FileManager.default.copyItem(atPath: scratch.database, toPath: backup)
        try FileManager.default.removeItem(atPath: scratch.database)
        try FileManager.default.copyItem(atPath: backup, toPath: scratch.database)
        #expect(try epoch(in: scratch.data) == nil)
    }

    @Test func asksForANewEpochOnAnotherMachine() throws {
        let scratch = try Scratch()
        try commitEpoch(in: scratch)
        let machine = scratch.path + "/machine-id"
        try Data("another\n".utf8).write(to: URL(fileURLWithPath: machine))
        #expect(try epoch(in: scratch.data, machineFile: machine) == nil)
    }

    private func commitEpoch(in scratch: Scratch) throws {
        let opened = try scratch.open()
        defer { opened.close() }
        _ = try opened.store.commit([.epoch(Epoch(5))])
    }

    private func epoch(
        in path: String,
        machineFile: String = "/etc/machine-id"
    ) throws -> Epoch? {
        let directory = try DataDirectory(path: path, machineFile: machineFile)
        let store = try SQLiteStore(in: directory)
        defer {
            store.close()
            directory.release()
        }
        let recovered = try store.recover()
        let isMoved = recovered.damage.first == [.moved]
        #expect(isMoved == (recovered.recovery.epoch == nil))
        return recovered.recovery.epoch
    }
}
