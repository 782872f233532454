package import Foundation

/// The bytes of a database and of the files beside it, as a sudden end of a process leaves them.
package struct FilesOfDatabase: Sendable {
    package var database: Data
    /// The write-ahead log; nil if there is none.
    package var log: Data?
    private let index: Data?
    private let path: String

    /// Reads the files, to which nobody writes meanwhile.
    package init(at path: String) throws {
        self.path = path
        database = try Data(contentsOf: URL(filePath: path))
        // Without a log there is no file.
        log = try? Data(contentsOf: URL(filePath: path + "-wal"))
        index = try? Data(contentsOf: URL(filePath: path + "-shm"))
    }

    /// Writes the files, which no process has open; the database keeps its inode.
    package func write() throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: database)
        try file.close()
        try writeCompanions()
    }

    /// Writes the files as a person brings back copies: the database has another inode.
    package func restore() throws {
        let copy = path + ".copy"
        try database.write(to: URL(filePath: copy))
        guard chmod(copy, 0o600) == 0, rename(copy, path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        try writeCompanions()
    }

    private func writeCompanions() throws {
        for (suffix, bytes) in [("-wal", log), ("-shm", index)] {
            let url = URL(filePath: path + suffix)
            if let bytes {
                try bytes.write(to: url)
            } else if FileManager.default.fileExists(atPath: url.path) {
                try FileManager.default.removeItem(at: url)
            }
        }
    }
}
