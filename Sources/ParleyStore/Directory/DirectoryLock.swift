import Glibc
import Synchronization

/// The `flock` on the file `lock` of a data directory; the file holds the process ID of the owner.
///
/// The kernel releases the lock when the process ends, in whatever way; the file stays.
final class DirectoryLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Locks the directory for a process that writes to it.
    ///
    /// - Throws: `inUse`, or the error of a system call.
    init(directory: String) throws(StoreError) {
        let file = try Self.locked(directory, O_RDWR | O_CREAT, LOCK_EX)
        Self.write(getpid(), to: file)
        descriptor = Mutex(file)
    }

    /// Takes a shared lock on a directory that this process cannot write to, to keep writers out.
    ///
    /// - Throws: `inUse`, or the error of a system call.
    init(readingIn directory: String) throws(StoreError) {
        descriptor = Mutex(try Self.locked(directory, O_RDONLY, LOCK_SH))
    }

    private static func locked(
        _ directory: String,
        _ flags: Int32,
        _ how: Int32
    ) throws(StoreError) -> Int32 {
        let path = "\(directory)/lock"
        let file = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .system(path: path, code: errno) }
        guard flock(file, how | LOCK_NB) == 0 else {
            let code = errno
            let owner = owner(file)
            Glibc.close(file)
            guard code == EWOULDBLOCK else { throw .system(path: path, code: code) }
            throw .inUse(path: directory, process: owner)
        }
        return file
    }

    deinit { release() }

    func release() {
        let file = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let file else { return }
        // Closing is not enough: a child process between fork and exec shares the descriptor and
        // the lock.
        flock(file, LOCK_UN)
        Glibc.close(file)
    }

    private static func owner(_ file: Int32) -> Int32? {
        var digits = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &digits, digits.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: digits.prefix(count).prefix { $0 > 32 }, as: UTF8.self))
    }

    /// Writes the process ID, which only helps people to find the process.
    ///
    /// Errors are ignored: on a full disk the lock holds without the text.
    private static func write(_ process: Int32, to file: Int32) {
        let text = Array("\(process)\n".utf8)
        guard ftruncate(file, 0) == 0 else { return }
        _ = pwrite(file, text, text.count, 0)
    }
}
