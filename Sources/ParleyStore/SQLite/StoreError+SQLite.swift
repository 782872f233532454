import GRDB
import GRDBSQLite
import Glibc

extension StoreError {
    /// What SQLite's extended result `code` on the database at `path` means; `system` is the
    /// `errno` of the last call that SQLite made.
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
        // Our statements are right, so a statement that does not fit means a damaged schema.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            .corrupt(path: path, detail: detail)
        case SQLITE_BUSY, SQLITE_LOCKED: .locked(path: path)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path)
        case SQLITE_MISUSE: .closed
        default: .failed(code: code, detail: detail)
        }
    }

    /// Runs `body` and gives what GRDB throws its type.
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
            // GRDB could not read what it keeps for itself.
            throw .corrupt(path: path, detail: "\(error)")
        }
    }
}
