package import Foundation
import ParleyStore

/// A restore of a backup into a data directory.
package struct DirectoryRestore: Sendable {
    /// What was restored, and where the earlier files are.
    package struct Restored: Sendable {
        /// What the backup has.
        package var contents: BackupContents
        /// When the backup was made.
        package var made: Date
        /// The folder with the files that were there before; nil if there were none.
        package var earlier: URL?
        /// The names or IDs of devices that were blocked before and are not now.
        package var unblocked: [String] = []
    }

    private let file: URL
    private let directory: URL
    private let now: Date

    /// Everything is made ready in a folder of the data directory, from where it is renamed.
    private var stage: URL { directory.appending(path: "restore.new") }

    /// A restore of the backup `file`; links to it are followed.
    package init(of file: URL, to directory: URL, at now: Date) {
        self.file = file.resolvingSymlinksInPath()
        self.directory = directory
        self.now = now
    }

    /// Checks the backup, and then replaces the database and the files of the directory.
    ///
    /// A missing directory is made. The earlier files are kept in a folder that no node reads. A
    /// crash leaves the earlier database, the new one, or none, without which no node starts.
    ///
    /// - Parameter force: Whether to use the sound rest of a backup with damaged rows or files.
    /// - Returns: what was restored.
    /// - Throws: `notABackup`, `newer`, `damaged`, `file`, `directory`.
    package func run(force: Bool) throws(CareError) -> Restored {
        guard try store({ () throws(StoreError) in try StoreBackup.isPossible(file.path) }) else {
            throw .notABackup(file)
        }
        let locked: DataDirectory
        do { locked = try DataDirectory(path: directory.path) } catch { throw CareError(error) }
        defer { locked.release() }
        try clearStage()
        guard mkdir(stage.path, 0o700) == 0 else { throw .system(stage.path) }
        do throws(CareError) {
            var restored = try prepare(force: force)
            restored.earlier = try swap(restored.contents.hasIdentity)
            let blocked = blockedDevices(of: directory)
            restored.unblocked = (restored.earlier.map(blockedDevices) ?? []).filter { device in
                !blocked.contains { $0.device == device.device }
            }.map { $0.name ?? $0.device }
            return restored
        } catch {
            // The stage has the files that did not reach their place.
            if case .halfway = error { throw error }
            // The next restore removes the rest.
            try? clearStage()
            throw error
        }
    }

    // MARK: Making ready

    /// Copies the backup into the stage, checks the copy and takes the files out of it.
    private func prepare(force: Bool) throws(CareError) -> Restored {
        let database = stage.appending(path: DirectoryFiles.database).path
        let copy = try store { () throws(StoreError) in
            try StoreBackup(restoring: file.path, to: database)
        }
        guard let mark = try store(copy.mark) else { throw .notABackup(file) }
        let check = try store(copy.check)
        guard force || check.damage.count <= mark.damaged else {
            let first = check.damage.first.first.map { ", the first: \($0)" } ?? ""
            let detail = "\(check.damage.count) rows\(first)"
            throw .damaged(file, detail: detail, isReadable: true)
        }
        var contents = BackupContents(check)
        for name in try store(copy.files) where DirectoryFiles.isPossible(name) {
            let kept: (bytes: [UInt8], written: Int64)
            do throws(CareError) {
                kept = try store { () throws(StoreError) in try copy.file(name) }
            } catch .damaged where force {
                contents.leftOut.append(name)
                continue
            }
            try write(kept.bytes, of: kept.written, to: name)
            if name == "device.key" { contents.hasKey(kept.bytes) }
        }
        try store(copy.unmark)
        try store(copy.close)
        let made = Date(timeIntervalSince1970: TimeInterval(mark.made))
        return Restored(contents: contents, made: made)
    }

    /// Writes a file with its former time of change, for `device.key` the time of the key.
    private func write(
        _ bytes: [UInt8],
        of written: Int64,
        to name: String
    ) throws(CareError) {
        let file = stage.appending(path: name)
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .system(folder.path)
        }
        do throws(KeptFile.Failure) {
            try KeptFile(path: file.path).replace(with: bytes)
        } catch {
            throw .file(path: error.path, reason: String(cString: strerror(error.code)))
        }
        let date = Date(timeIntervalSince1970: TimeInterval(written))
        try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    // MARK: Changing places

    /// Moves the earlier files away and the new files into place.
    ///
    /// The database leaves first and arrives last, because no node starts with a key but no
    /// database. After an error every file is back in its place.
    ///
    /// - Returns: the folder with the earlier files; nil if there were none.
    /// - Throws: `halfway` if the files could not be moved back.
    private func swap(_ hasIdentity: Bool) throws(CareError) -> URL? {
        let leaving =
            [DirectoryFiles.database] + DirectoryFiles.databaseCompanions + DirectoryFiles.others
            + DirectoryFiles.identity.filter { hasIdentity && $0 != "device.key" }
        let isOccupied = (leaving + DirectoryFiles.identity).contains {
            access(directory.appending(path: $0).path, F_OK) == 0
        }
        let earlier = isOccupied ? try makeFolder() : nil
        var moved: [Move] = []
        do throws(CareError) {
            if let earlier {
                // The key stays in place until the new key replaces it.
                if hasIdentity {
                    try move("device.key", from: directory, to: earlier, &moved, with: link)
                }
                for name in leaving {
                    try move(name, from: directory, to: earlier, &moved)
                    try DirectorySync.sync(directory)
                }
                try DirectorySync.sync(earlier)
            }
            for name in DirectoryFiles.identity + DirectoryFiles.others + [DirectoryFiles.database]
            {
                try DirectorySync.sync(directory)
                try move(name, from: stage, to: directory, &moved)
            }
            try DirectorySync.sync(directory)
        } catch {
            try moveBack(moved, from: earlier, after: error)
            throw error
        }
        try clearStage()
        return earlier
    }

    /// A file that was moved, or linked to another name.
    private struct Move {
        let from: String
        let to: String
    }

    private func moveBack(
        _ moved: [Move],
        from earlier: URL?,
        after error: CareError
    ) throws(CareError) {
        for move in moved.reversed() where rename(move.to, move.from) != 0 {
            guard let earlier, case .file(let path, let reason) = error else { return }
            throw .halfway(path: path, reason: reason, earlier: earlier)
        }
        guard let earlier else { return }
        // A rename does nothing if both are names of one file.
        unlink(earlier.appending(path: "device.key").path)
        rmdir(earlier.path)
    }

    /// Makes the folder for the earlier files, whose name is free.
    private func makeFolder() throws(CareError) -> URL {
        var folder = directory.appending(path: "replaced-\(now.compactText)")
        for number in 2...9 where access(folder.path, F_OK) == 0 {
            folder = directory.appending(path: "replaced-\(now.compactText)-\(number)")
        }
        guard mkdir(folder.path, 0o700) == 0 else { throw .system(folder.path) }
        return folder
    }

    /// Moves or links a file that may not exist.
    private func move(
        _ name: String,
        from: URL,
        to: URL,
        _ moved: inout [Move],
        with call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32 = rename
    ) throws(CareError) {
        let move = Move(
            from: from.appending(path: name).path,
            to: to.appending(path: name).path
        )
        if call(move.from, move.to) == 0 {
            moved.append(move)
        } else if errno != ENOENT {
            throw .system(move.from)
        }
    }

    private func blockedDevices(of directory: URL) -> [ListedDevice] {
        let file = KeptFile(path: directory.appending(path: "devices.json").path)
        return (try? DeviceLists(keptIn: file))?.devices.filter { $0.list == .blocked } ?? []
    }

    private func clearStage() throws(CareError) {
        guard access(stage.path, F_OK) == 0 else { return }
        do { try FileManager.default.removeItem(at: stage) } catch { throw .system(stage.path) }
    }

    /// Does something with the backup or its copy.
    private func store<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(CareError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw switch error {
            case .foreign: .notABackup(file)
            case .newerSchema: .newer(file)
            case .corrupt(_, let detail): .damaged(file, detail: detail, isReadable: false)
            case .damaged(let row): .damaged(file, detail: row, isReadable: true)
            case .unreachable(let path, let reason): .file(path: path, reason: reason)
            default: CareError(error)
            }
        }
    }
}
