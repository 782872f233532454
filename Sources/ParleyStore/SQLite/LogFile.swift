import Glibc

/// The file of the database's write-ahead log, open beside SQLite, which neither locks it nor
/// replaces it while a connection is open.
final class LogFile: Sendable {
    private let path: String
    let descriptor: Int32

    /// Opens the log of the database at `path`, which a connection has opened before.
    init(ofDatabase path: String) throws(StoreError) {
        self.path = path + "-wal"
        descriptor = open(self.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system(path: self.path, code: errno) }
    }

    deinit { close(descriptor) }

    /// Returns when everything that was written to the file before the call is on disk.
    func sync() throws(StoreError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw .system(path: path, code: errno) }
        }
    }
}
