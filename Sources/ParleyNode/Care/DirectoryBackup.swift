package import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

/// What is in a backup.
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
    /// The files of apps and the like that are too large for a backup.
    package var leftOut: [String] = []

    init(_ check: StoreCheck) {
        device = check.device?.text
        conversations = check.conversations
        sessions = check.sessions
        pictures = check.pictures
        damaged = check.damage.count
    }
}

/// A backup of a data directory that is being made, whether or not a node runs there.
package struct DirectoryBackup: Sendable {
    private let directory: URL
    private let file: URL
    /// The file that takes the place of `file` when it is complete.
    package let draft: URL

    /// A backup of `directory` to `file`; nothing is written before `make`.
    package init(of directory: URL, to file: URL) {
        self.directory = directory
        self.file = file
        draft = URL(filePath: file.path + ".new")
    }

    /// The size of the database in bytes, without what its log has.
    package var databaseBytes: Int {
        size(of: directory.appending(path: DirectoryFiles.database))
    }

    /// The bytes of the draft so far.
    package var draftBytes: Int { size(of: draft) }

    /// Makes the backup; a crash leaves the draft behind, which the next one replaces.
    ///
    /// The call blocks, as long as it takes to copy and check the database.
    package func make(
        withIdentity: Bool,
        replacing: Bool,
        at date: Date
    ) throws(CareError) -> BackupContents {
        let database = directory.appending(path: DirectoryFiles.database).path
        guard access(database, F_OK) == 0 else {
            throw errno == ENOENT ? .nothingThere(directory) : .system(database)
        }
        var status = stat()
        if lstat(file.path, &status) == 0 {
            guard replacing, status.st_mode & S_IFMT == S_IFREG else { throw .exists(file) }
        }
        guard unlink(draft.path) == 0 || errno == ENOENT else { throw .system(draft.path) }
        do throws(CareError) {
            var contents = try fill(from: database, withIdentity: withIdentity, at: date)
            contents.bytes = draftBytes
            guard rename(draft.path, file.path) == 0 else { throw .system(file.path) }
            try DirectorySync.sync(file.deletingLastPathComponent())
            return contents
        } catch {
            unlink(draft.path)
            throw error
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
                if name == "device.key" { contents.hasIdentity = true }
            }
            try backup.close()
            return contents
        } catch .unreachable(let path, let reason) {
            throw .file(path: path, reason: reason)
        } catch {
            throw CareError(error)
        }
    }

    private func size(of file: URL) -> Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// Puts the names of files on the disk.
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
