import Glibc

/// The database or its write-ahead log, open beside SQLite.
///
/// SQLite neither locks the log nor replaces it while a connection is open. It locks the database,
/// and closing any descriptor of a file releases the locks of the process, so the one of the
/// database is opened before SQLite's and closed after them.
final class StoreFile: Sendable {
    private let path: String
    let descriptor: Int32

    /// Opens the file; with `O_CREAT` among `flags` it is made if it does not exist, for its owner
    /// alone.
    init(_ path: String, _ flags: Int32) throws(StoreError) {
        self.path = path
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

    /// Whether the file still has a name, so that the next start finds it.
    var isThere: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }
}
