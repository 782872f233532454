import Foundation
import Synchronization

/// The folder of a draft, locked as long as its process lives.
///
/// The kernel releases the lock however the process ends. So the next draft in the same directory
/// finds the folders of killed processes, and removes them.
final class DraftFolder: Sendable {
    let path: String
    /// The descriptor that has the lock; nil before `make` and after `remove`.
    private let lock = Mutex<Int32?>(nil)

    private static let infix = ".new-"
    static let file = "draft"
    /// A draft, and the files that SQLite puts beside a database.
    private static let files = [file, "\(file)-journal", "\(file)-wal", "\(file)-shm"]
    /// The number of folders that are removed at a time.
    private static let staleMax = 64

    /// The folder of a draft of the file `target`.
    init(of target: String) {
        path = "\(target)\(Self.infix)\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    }

    deinit { unlock() }

    /// Makes the folder, and removes folders that killed processes left beside it.
    func make() throws(DraftFile.Failure) {
        Self.removeStale(beside: path)
        repeat {
            unlock()
            guard mkdir(path, 0o700) == 0 else { throw .last }
            // On a file system without locks for folders, nobody removes the folder.
            let file = Self.locked(path, LOCK_EX)
            lock.withLock { $0 = file }
            // Before the folder had its lock, another process could remove it as left behind.
        } while access(path, F_OK) != 0
    }

    /// Removes the folder, if it is there, and the draft in it.
    func remove() {
        Self.empty(path)
        unlock()
    }

    private func unlock() {
        lock.withLock { file in
            if let file { close(file) }
            file = nil
        }
    }

    private static func locked(_ path: String, _ how: Int32) -> Int32? {
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        if flock(file, how) == 0 { return file }
        close(file)
        return nil
    }

    private static func empty(_ path: String) {
        for name in files { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private static func removeStale(beside path: String) {
        let parent = URL(filePath: path).deletingLastPathComponent()
        // In a directory that cannot be read, nothing can be removed either.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names.filter(isName).prefix(staleMax) {
            let stale = parent.appending(path: name).path
            guard let file = locked(stale, LOCK_EX | LOCK_NB) else { continue }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_uid == geteuid(),
                status.st_mode & 0o077 == 0,
                let inside = try? FileManager.default.contentsOfDirectory(atPath: stale),
                inside.allSatisfy(files.contains)
            else { continue }
            for name in files { unlinkat(file, name, 0) }
            rmdir(stale)
        }
    }

    /// Whether a name is that of a draft's folder.
    private static func isName(_ name: String) -> Bool {
        guard let infix = name.range(of: infix, options: .backwards) else { return false }
        let numbers = name[infix.upperBound...].split(separator: "-")
        return infix.lowerBound > name.startIndex && numbers.count == 2
            && Int32(numbers[0]) != nil && UInt64(numbers[1]) != nil
    }
}
