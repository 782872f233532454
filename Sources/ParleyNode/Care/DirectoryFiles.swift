import Foundation
import ParleyStore

/// The files of a data directory that a backup has beside the database.
///
/// The lock and the control socket belong to a process and are left out.
enum DirectoryFiles {
    /// The database, and the files that SQLite puts beside it.
    static let database = "parley.sqlite"
    static let databaseCompanions = ["parley.sqlite-wal", "parley.sqlite-shm"]
    /// The device's key, that of its person, and the secrets with which browsers signed in.
    static let identity = ["device.key", "person.key", "page.key"]
    static let others = ["name", "arrivals.json", "joined", "devices.json", "linked.json", "apps"]

    /// The relative paths of everything in a directory except folders.
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

    /// The time at which a file was written last; nil if unknown.
    static func written(_ path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }

    private static func kind(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }
}

extension Date {
    /// The time in the names of kept files, such as `20261126T210858Z`.
    var compactText: String {
        formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
    }
}
