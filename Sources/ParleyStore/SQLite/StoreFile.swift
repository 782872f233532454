import Glibc
import Synchronization

/// The database or its write-ahead log, open beside SQLite.
///
/// SQLite neither locks nor replaces the log while a connection is open. SQLite locks the database,
/// and closing any descriptor of a file releases the locks of the process on the file. So the
/// descriptor of the database is opened before SQLite's and closed after it.
final class StoreFile: Sendable {
    private let path: String
    let descriptor: Int32
    /// The size below which the file does not become shorter by itself.
    private let floor: Int
    /// The greatest known size, at most `floor`; nil while SQLite may make the file shorter.
    private let known = Mutex<Int?>(0)

    /// Opens the file, or creates it for its owner alone if `flags` has `O_CREAT`.
    ///
    /// SQLite makes a file shorter only if it is longer than `floor`.
    init(_ path: String, _ flags: Int32, floor: Int = .max) throws(StoreError) {
        self.path = path
        self.floor = floor
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    }

    deinit { close(descriptor) }

    /// Returns when everything that was written to the file before the call is on disk.
    func sync() throws(StoreError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw .system(path: path, code: errno) }
        }
    }

    /// Whether the path still leads to this file.
    var isAtItsPath: Bool {
        var own = stat()
        var named = stat()
        return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0
            && own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }

    /// Appends the rest of this file, from its position on, to another file.
    func copy(to other: StoreFile) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 || errno == EINTR else { throw .system(path: path, code: errno) }
            var written = 0
            while written < count {
                let more = buffer[written..<count].withUnsafeBytes {
                    write(other.descriptor, $0.baseAddress, $0.count)
                }
                guard more >= 0 || errno == EINTR else {
                    throw .system(path: other.path, code: errno)
                }
                written += max(0, more)
            }
        }
    }

    /// Whether the next start would find the file: it has a name and is not shorter than known.
    var isThere: Bool {
        known.withLock { known in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return false }
            guard let least = known else { return true }
            let size = min(Int(status.st_size), floor)
            known = max(least, size)
            return size >= least
        }
    }

    /// The length of the file in bytes.
    var size: Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The bytes on the file system that are free for this user; nil if unknown.
    var freeBytes: Int? {
        var system = statvfs()
        guard fstatvfs(descriptor, &system) == 0 else { return nil }
        return Int(system.f_bavail) * Int(system.f_frsize)
    }

    /// Notes that SQLite is about to make the file shorter, until `becameShorter`.
    func mayBecomeShorter() {
        known.withLock { $0 = nil }
    }

    /// Notes that SQLite has made the file shorter.
    func becameShorter() {
        known.withLock { $0 = 0 }
    }
}
