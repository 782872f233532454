/// Why a data directory cannot be used, or a read or commit came to nothing.
///
/// `description` is a sentence for people that names the file and the cure.
package enum StoreError: Error, Equatable, Sendable {
    /// Another process has the directory; nil if it did not write down its number.
    case inUse(path: String, process: Int32?)
    /// Others than the owner may enter the directory or read the file, which holds keys.
    case tooOpen(path: String, mode: UInt32)
    /// Something cannot be made, opened or read; `reason` is the system's.
    case unreachable(path: String, reason: String)
    /// Written by a later version, with these changes of the schema that this one does not know.
    case newerSchema(path: String, unknown: [String])
    /// A database, or no database at all, of somebody else.
    case foreign(path: String)
    /// The file is damaged; `detail` is SQLite's.
    case corrupt(path: String, detail: String)
    /// No space is left, or the quota is used up.
    case full(path: String)
    /// The disk failed; what was being written is in doubt until the store is opened anew.
    case io(path: String, detail: String)
    /// Another process holds the database itself.
    case locked(path: String)
    case readOnly(path: String)
    /// The store was closed.
    case closed
    /// A row whose bytes are not those that were written.
    case damaged(row: String)
    /// Anything else that SQLite said.
    case failed(code: Int32, detail: String)

    /// Whether what is on disk is in doubt until `NodeStore.reopen` succeeds.
    package var needsReopening: Bool {
        switch self {
        case .io, .corrupt, .readOnly, .failed, .unreachable: true
        case .inUse, .tooOpen, .newerSchema, .foreign, .full, .locked, .closed, .damaged: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let path, let process?):
            "\(path) is in use by process \(process). Stop it, or choose another directory with"
                + " --data."
        case .inUse(let path, nil):
            "\(path) is in use by another process. Stop it, or choose another directory with"
                + " --data."
        case .tooOpen(let path, let mode):
            "\(path) holds keys and may be read by others (mode \(String(mode, radix: 8))). Run:"
                + " chmod go= \(path)"
        case .unreachable(let path, let reason):
            "\(path) cannot be used: \(reason). Check its owner and permissions, or choose another"
                + " directory with --data."
        case .newerSchema(let path, let unknown):
            "\(path) was written by a newer version of Parley (schema"
                + " \(unknown.joined(separator: ", "))). Install that version again, or choose"
                + " another directory with --data."
        case .foreign(let path):
            "\(path) is not a database of Parley. Move it away, or choose another directory with"
                + " --data."
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)). Stop the node, move \(path), \(path)-wal and"
                + " \(path)-shm elsewhere and join the conversations again: peers send what they"
                + " have. What only this node had can be sought with: sqlite3 \(path) .recover"
        case .full(let path):
            "No space is left for \(path). Free some; the node goes on by itself."
        case .io(let path, let detail):
            "The disk failed under \(path) (\(detail)). Look at the kernel log and the disk."
        case .locked(let path):
            "\(path) is locked by another program. Close it; the node goes on by itself."
        case .readOnly(let path):
            "\(path) cannot be written. Check its permissions and whether the file system is"
                + " mounted read-only."
        case .closed:
            "The store is closed."
        case .damaged(let row):
            "The stored bytes of \(row) are damaged."
        case .failed(let code, let detail):
            "The store failed: \(detail) (SQLite \(code))."
        }
    }
}
