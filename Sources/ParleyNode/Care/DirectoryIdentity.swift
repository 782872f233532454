package import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

/// The key of a data directory's device.
package struct DirectoryIdentity: Sendable {
    /// The ID of the device.
    package let device: String
    /// The short ID of the device, as the log has it.
    package let short: String
    /// The file of the key.
    package let file: URL
    /// When the file was written last.
    package let written: Date?

    /// Reads the key of a directory, whether or not a node runs there.
    package init(of directory: URL) throws(CareError) {
        file = directory.appending(path: "device.key")
        try Self.checkKey(of: directory)
        let key: DeviceKey
        do throws(DeviceKeyError) {
            key = try DeviceKeyFile(path: file.path).load()
        } catch {
            throw CareError(error, in: directory)
        }
        device = key.id.text
        short = key.id.shortText
        written = DirectoryFiles.written(file.path)
    }

    /// Checks that a directory in which a node has been at home has a key.
    static func checkKey(of directory: URL) throws(CareError) {
        let key = directory.appending(path: "device.key")
        if access(key.path, F_OK) == 0 { return }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system(key.path) }
        let database = directory.appending(path: DirectoryFiles.database).path
        guard access(database, F_OK) == 0 else { throw .nothingThere(directory) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        let earlier = names.filter { $0.hasPrefix("device.key.replaced-") }.max()
        throw .directory(
            .dataDirectoryUnusable(
                path: directory.path,
                reason: "\(key.path) is missing, and the database of the device is there.",
                hint: (earlier.map { "Rename \($0) to device.key" } ?? "Restore a backup")
                    + ", or start the node, which makes a new key and is a new device then."
            )
        )
    }

    /// Replaces the key of a stopped node, and keeps the earlier key in a file that no node reads.
    ///
    /// - Returns: the file of the earlier key, and the identities before and after.
    package static func rotate(
        in directory: URL,
        at now: Date
    ) throws(CareError) -> (earlier: URL, before: DirectoryIdentity, after: DirectoryIdentity) {
        let before = try DirectoryIdentity(of: directory)
        let locked: DataDirectory
        do { locked = try DataDirectory(path: directory.path) } catch { throw CareError(error) }
        defer { locked.release() }
        let earlier = directory.appending(path: "device.key.replaced-\(now.compactText)")
        do throws(DeviceKeyError) {
            try DeviceKeyFile(path: before.file.path).replace(keeping: earlier.path)
        } catch {
            throw CareError(error, in: directory)
        }
        return (earlier, before, try DirectoryIdentity(of: directory))
    }
}
