import Foundation
import ParleyStore

/// The files of a data directory beside its database that say something when the node is back.
///
/// The others belong to a process: the lock and the control socket.
enum DirectoryFiles {
    /// The database, and what SQLite keeps beside it.
    static let database = "parley.sqlite"
    static let databaseCompanions = ["parley.sqlite-wal", "parley.sqlite-shm"]
    /// The device's key, and the secrets with which browsers signed in to it.
    static let identity = ["device.key", "page.key"]
    static let others = ["name", "arrivals.json", "joined", "devices.json", "apps"]

    /// The files in a directory by their paths relative to it, and what else is there but folders.
    static func list(in directory: URL, withIdentity: Bool) -> [String] {
        var files: [String] = []
        for name in (withIdentity ? identity : []) + others {
            let path = directory.appending(path: name).path
            guard let kind = kind(of: path) else { continue }
            // A folder that cannot be read belongs to somebody else, and counts as a file.
            guard kind == .typeDirectory,
                let inside = try? FileManager.default.subpathsOfDirectory(atPath: path)
            else {
                files.append(name)
                continue
            }
            files += inside.sorted().map { "\(name)/\($0)" }.filter {
                self.kind(of: directory.appending(path: $0).path) != .typeDirectory
            }
        }
        return files
    }

    /// Whether a path of a backup leads to a file that `list` may have.
    static func isPossible(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, (identity + others).contains(String(first)) else {
            return false
        }
        return !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.contains("\0") }
    }

    /// When a file was written last; nil if that cannot be told.
    static func written(_ path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }

    private static func kind(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }
}

extension Date {
    /// The time in the names of files that a command keeps, such as `20261126T210858Z`.
    var compactText: String {
        formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
    }
}
