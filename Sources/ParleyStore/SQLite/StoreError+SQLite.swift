import GRDB
import GRDBSQLite
import Glibc

extension StoreError {
    /// The error for SQLite's extended result `code` on the database at `path`, inside of `typed`.
    ///
    /// The reason is `errno`: after a failed `COMMIT`, `sqlite3_system_errno` is that of an earlier
    /// error.
    static func sqlite(path: String, code: Int32, detail: String) -> StoreError {
        let system = code == SQLITE_CANTOPEN && errno == ENOENT ? whyNoFile(beside: path) : errno
        return switch code & 0xFF {
        case SQLITE_FULL: .full(path: path)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch system {
            case ENOSPC, EDQUOT: .full(path: path)
            case EROFS: .readOnly(path: path)
            case EACCES, EPERM, EISDIR, ELOOP:
                .unreachable(path: path, reason: String(cString: strerror(system)))
            default:
                .io(path: path, detail: "\(detail), \(code), \(String(cString: strerror(system)))")
            }
        // SQLite calls a read that failed damage, or misses a table.
        case SQLITE_CORRUPT where system == EIO, SQLITE_ERROR where system == EIO:
            .io(path: path, detail: "\(detail), \(String(cString: strerror(EIO)))")
        // The statements are fixed and tested, so an error in one means that the schema is damaged.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            .corrupt(path: path, detail: detail)
        case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path)
        case SQLITE_MISUSE: .closed
        default: .failed(code: code, detail: detail)
        }
    }

    /// The error of making a file beside the database, which SQLite replaces by that of a second
    /// attempt to open it.
    private static func whyNoFile(beside path: String) -> Int32 {
        let probe = path + "-probe"
        let file = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        close(file)
        unlink(probe)
        return ENOENT
    }

    /// Runs `body` and converts the errors of GRDB to `StoreError`.
    ///
    /// An `errno` of an earlier call would be taken for one of `body`.
    static func typed<Result>(
        path: String,
        _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        errno = 0
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            throw .sqlite(
                path: path,
                code: error.extendedResultCode.rawValue,
                detail: error.message ?? "no detail"
            )
        } catch {
            // The error comes from GRDB itself: it could not read its own table of migrations.
            throw .corrupt(path: path, detail: "\(error)")
        }
    }
}
