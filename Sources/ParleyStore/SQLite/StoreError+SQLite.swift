import GRDB
import GRDBSQLite
import Glibc

extension StoreError {
    /// The error for SQLite's extended result `code` on the database at `path`; `system` is the
    /// `errno` of SQLite's last system call.
    static func sqlite(path: String, code: Int32, detail: String, system: Int32) -> StoreError {
        switch code & 0xFF {
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
        // The statements are fixed and tested, so an error in one means that the schema is damaged.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            .corrupt(path: path, detail: detail)
        case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path)
        case SQLITE_MISUSE: .closed
        default: .failed(code: code, detail: detail)
        }
    }

    /// Runs `body` and converts the errors of GRDB to `StoreError`.
    static func typed<Result>(
        path: String,
        _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            throw .sqlite(
                path: path,
                code: error.extendedResultCode.rawValue,
                detail: error.message ?? "no detail",
                system: errno
            )
        } catch {
            // The error comes from GRDB itself: it could not read its own table of migrations.
            throw .corrupt(path: path, detail: "\(error)")
        }
    }
}
