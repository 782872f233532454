package import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

/// The contents of a backup.
package struct BackupContents: Sendable {
    /// The size of the file.
    package var bytes = 0
    /// The device whose key is in the backup, or was beside the database.
    package var device: String?
    /// Whether the key is in the backup.
    package var hasIdentity = false
    /// How many conversations the database has.
    package var conversations = 0
    /// How many sessions the database has.
    package var sessions = 0
    /// How many pictures the database has, whole or in part.
    package var pictures = 0
    /// How many rows are damaged in the database as well.
    package var damaged = 0
    /// The files of apps and the like that are too large for a backup, links, or not readable.
    package var leftOut: [String] = []

    init(_ check: StoreCheck) {
        device = check.device?.text
        conversations = check.conversations
        sessions = check.sessions
        pictures = check.pictures
        damaged = check.damage.count
    }

    /// Notes the key of the device, which may have changed since the last start.
    mutating func hasKey(_ pem: [UInt8]) {
        hasIdentity = true
        if let key = try? DeviceKey(pem: pem) { device = key.id.text }
    }
}

/// A backup of a data directory that is being made, whether or not a node runs there.
package struct DirectoryBackup: Sendable {
    private let directory: URL
    private let file: URL
    /// The file that takes the place of `file` when it is complete.
    private let draft: DraftFile

    /// A backup of `directory` to `file`; nothing is written before `make`.
    package init(of directory: URL, to file: URL) {
        self.directory = directory
        self.file = file
        draft = DraftFile(of: file.path)
    }

    /// The size of the database in bytes, without its log.
    package var databaseBytes: Int {
        size(of: directory.appending(path: DirectoryFiles.database).path)
    }

    /// The bytes of the draft so far.
    package var draftBytes: Int { size(of: draft.path) }

    /// Removes the draft of a backup that a signal ends.
    package func abandon() { draft.remove() }

    /// Makes the backup, which leaves `leastFree` bytes free on the disk of the node.
    ///
    /// The call blocks, as long as it takes to copy and check the database.
    package func make(
        withIdentity: Bool,
        replacing: Bool,
        leastFree: Int = Limits().freeSpace,
        at date: Date
    ) throws(CareError) -> BackupContents {
        let database = directory.appending(path: DirectoryFiles.database).path
        guard access(database, F_OK) == 0 else {
            throw errno == ENOENT ? .nothingThere(directory) : .system(database)
        }
        if withIdentity { try DirectoryIdentity.checkKey(of: directory) }
        try checkPlace(replacing: replacing, leastFree: leastFree)
        defer { draft.remove() }
        do throws(DraftFile.Failure) {
            try draft.makeFolder()
        } catch {
            throw .file(path: file.path, reason: "\(error)")
        }
        var contents = try fill(from: database, withIdentity: withIdentity, at: date)
        contents.bytes = draftBytes
        do throws(DraftFile.Failure) {
            try draft.replace()
        } catch {
            throw .file(path: file.path, reason: "\(error)")
        }
        return contents
    }

    private func checkPlace(replacing: Bool, leastFree: Int) throws(CareError) {
        var status = stat()
        if lstat(file.path, &status) == 0 {
            guard replacing else { throw .exists(file) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaceable(file) }
        }
        let parent = file.deletingLastPathComponent().resolvingSymlinksInPath()
        let own = directory.resolvingSymlinksInPath().path
        guard parent.path != own, !parent.path.hasPrefix(own + "/") else {
            throw .amongFiles(of: directory)
        }
        var system = statvfs()
        var disk = stat()
        guard stat(parent.path, &disk) == 0, stat(own, &status) == 0,
            disk.st_dev == status.st_dev, statvfs(own, &system) == 0
        else { return }
        let free = Int(system.f_bavail) * Int(system.f_frsize)
        guard free - databaseBytes >= leastFree else {
            throw .scarce(file, bytes: databaseBytes, least: leastFree)
        }
    }

    private func fill(
        from database: String,
        withIdentity: Bool,
        at date: Date
    ) throws(CareError) -> BackupContents {
        do throws(StoreError) {
            let backup = try StoreBackup(copying: database, to: draft.path)
            let check = try backup.check()
            try backup.mark(check, made: Int64(date.timeIntervalSince1970))
            var contents = BackupContents(check)
            for name in DirectoryFiles.list(in: directory, withIdentity: withIdentity) {
                let path = directory.appending(path: name).path
                let bytes: [UInt8]?
                do throws(KeptFile.Failure) {
                    bytes = try KeptFile(path: path).read(atMost: StoreBackup.fileBytesMax)
                } catch {
                    contents.leftOut.append(name)
                    continue
                }
                guard let bytes else { continue }
                let written = DirectoryFiles.written(path)?.timeIntervalSince1970 ?? 0
                try backup.add(name, bytes, written: Int64(written))
                if name == "device.key" { contents.hasKey(bytes) }
            }
            if withIdentity, !contents.hasIdentity {
                throw StoreError.unreachable(
                    path: directory.appending(path: "device.key").path,
                    reason: "a link or a key that cannot be read is not saved; put the file itself "
                        + "there, or leave it out with --without-identity"
                )
            }
            try backup.close()
            return contents
        } catch .unreachable(let path, let reason) {
            throw .file(path: path, reason: reason)
        } catch {
            throw CareError(error)
        }
    }

    private func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// Syncs directories, so that the names of files are on disk.
enum DirectorySync {
    static func sync(_ directory: URL) throws(CareError) {
        let path = directory.path
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path) }
        defer { close(descriptor) }
        // Some file systems cannot sync a directory.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(path) }
    }
}
