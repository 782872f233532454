/// Why a data directory cannot be used, or why a read or commit failed.
///
/// `description` is a text for people that names the file and the remedy.
package enum StoreError: Error, Equatable, Sendable {
    /// Another process uses the directory; `process` is nil if that process did not record its ID.
    case inUse(path: String, process: Int32?)
    /// Users other than the owner may enter the directory or read the file, which holds keys.
    case tooOpen(path: String, mode: UInt32)
    /// The directory or the database belongs to another user; `owner` and `user` are numeric IDs.
    case foreignOwner(path: String, owner: UInt32, user: UInt32)
    /// The directory is not empty, and its content is not a node's.
    case occupied(path: String)
    /// The file or directory cannot be created, opened or read; `reason` is the text of the
    /// `errno`.
    case unreachable(path: String, reason: String)
    /// A later version wrote the database, with migrations that this version does not know.
    case newerSchema(path: String, unknown: [String])
    /// The database has messages whose signatures cover digests of an old format; peers would
    /// refuse them.
    ///
    /// `count` is the number of their sessions.
    case oldSignatures(path: String, count: Int)
    /// The file is a database of another program, or not a database.
    case foreign(path: String)
    /// The database is missing or empty, or was removed or replaced while the node ran.
    case lost(path: String)
    /// The file is damaged; `detail` is SQLite's message.
    case corrupt(path: String, detail: String)
    /// No space is left, or the quota is used up.
    case full(path: String)
    /// Only `free` bytes are left on the file system, which is to keep `least`.
    case scarce(path: String, free: Int, least: Int)
    /// The disk failed; whether the last writes are on disk is in doubt until the store is
    /// reopened.
    case io(path: String, detail: String)
    /// Another process holds a lock on the database file.
    case locked(path: String)
    case readOnly(path: String)
    /// The store was closed.
    case closed
    /// The checksum of the row does not match its values.
    case damaged(row: String)
    /// Any other error of SQLite.
    case failed(code: Int32, detail: String)

    /// Whether the durability of commits is in doubt until `NodeStore.reopen` succeeds.
    package var needsReopening: Bool {
        switch self {
        case .io, .corrupt, .readOnly, .failed, .unreachable, .lost: true
        case .inUse, .tooOpen, .foreignOwner, .occupied, .newerSchema, .oldSignatures, .foreign,
            .full, .scarce, .locked, .closed, .damaged:
            false
        }
    }

    /// Whether the data of a read is lost; after any other error, a later read may succeed.
    package var isLoss: Bool {
        switch self {
        case .corrupt, .damaged: true
        case .inUse, .tooOpen, .foreignOwner, .occupied, .unreachable, .newerSchema,
            .oldSignatures, .foreign, .lost, .full, .scarce, .io, .locked, .readOnly, .closed,
            .failed:
            false
        }
    }

    /// Whether a conversation can be left although nothing else is stored.
    package var admitsLeaving: Bool {
        if case .scarce = self { true } else { false }
    }

    /// Whether more space is the cure.
    package var isLackOfSpace: Bool {
        switch self {
        case .full, .scarce: true
        default: false
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
        case .foreignOwner(let path, let owner, let user):
            "\(path) belongs to user \(owner), and this node runs as \(user). Run the node as the"
                + " owner (sudo -u '#\(owner)' parley node …), or give it to the user of the node:"
                + " chown -R \(user) \(path)"
        case .occupied(let path):
            "\(path) has files, and is no data directory of Parley. Choose an empty or a new"
                + " directory with --data."
        case .unreachable(let path, let reason):
            "\(path) cannot be used: \(reason). Check its owner and permissions, or choose another"
                + " directory with --data."
        case .newerSchema(let path, let unknown):
            "\(path) was written by a newer version of Parley (migrations"
                + " \(unknown.joined(separator: ", "))). Install that version again, or choose"
                + " another directory with --data."
        case .oldSignatures(let path, let count):
            "\(path) was written by an earlier version of Parley, and peers refuse the signatures"
                + " of its messages now (\(count) \(count == 1 ? "session" : "sessions")). Choose"
                + " another directory with --data, and join the conversations again."
        case .foreign(let path):
            "\(path) is not a database of Parley. Move it away, or choose another directory with"
                + " --data."
        case .lost(let path):
            "\(path) is missing or empty: the conversations of this node, their keys and its"
                + " messages are not there. While no node runs, restore it from a backup, or move"
                + " it back from the latest folder replaced-… beside it, if there is one. To begin"
                + " without them, as a new device, move device.key away from beside it and"
                + " join the conversations again: peers send what they have."
        case .corrupt(let path, let detail):
            "\(path) is damaged (\(detail)). While no node runs, restore the file from a backup, or"
                + " move it, the device.key beside it, and \(path)-wal and -shm, if they are"
                + " there, elsewhere, and join the conversations again as a new device: peers send"
                + " what they have. To search for what only this node had, use:"
                + " sqlite3 \(path) .recover"
        case .full(let path):
            "No space is left for \(path). Free some; the node then continues by itself."
        case .scarce(let path, let free, let least):
            "\(free >> 20) MiB are free for \(path), and limits.free-space keeps \(least >> 20) MiB"
                + " free. Free some, or leave a conversation; the node then continues by itself."
        case .io(let path, let detail):
            "The disk failed under \(path) (\(detail)). Look at the kernel log and the disk."
        case .locked(let path):
            "\(path) is locked by another program. Close it; the node then continues by itself."
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
