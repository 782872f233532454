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
        guard access(file.path, F_OK) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR
                ? .nothingThere(directory) : .system(file.path)
        }
        let key: DeviceKey
        do throws(DeviceKeyError) {
            key = try DeviceKeyFile(path: file.path).load()
        } catch {
            throw .directory(
                .dataDirectoryUnusable(
                    path: directory.path,
                    reason: error.message,
                    hint: error.hint
                )
            )
        }
        device = key.id.text
        short = key.id.shortText
        written = DirectoryFiles.written(file.path)
    }

    /// Gives the directory of a stopped node another key, and keeps the earlier one in a file that
    /// no node reads.
    ///
    /// - Returns: the earlier identity, with the file that has its key now, and the present one.
    package static func rotate(
        in directory: URL,
        at now: Date
    ) throws(CareError) -> (earlier: URL, before: DirectoryIdentity, after: DirectoryIdentity) {
        let before = try DirectoryIdentity(of: directory)
        let locked: DataDirectory
        do { locked = try DataDirectory(path: directory.path) } catch { throw CareError(error) }
        defer { locked.release() }
        let earlier = directory.appending(path: "device.key.replaced-\(now.compactText)")
        // After a crash there is no key, and the next start makes one: it comes to the same.
        guard link(before.file.path, earlier.path) == 0, unlink(before.file.path) == 0 else {
            throw .system(earlier.path)
        }
        do throws(DeviceKeyError) {
            _ = try DeviceKeyFile(path: before.file.path).loadOrMake()
        } catch {
            throw .file(path: before.file.path, reason: error.message)
        }
        return (earlier, before, try DirectoryIdentity(of: directory))
    }
}
