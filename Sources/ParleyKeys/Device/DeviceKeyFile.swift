import Foundation
import ParleyCore

/// The file that holds the key of a device: PEM, mode 0600, made once and never changed.
package struct DeviceKeyFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The key in the file; if there is no file, a new key is made and stored first.
    ///
    /// Any number of processes may call this at once, and all get the same key. A crash leaves
    /// either no file or a complete one. The directory must exist.
    package func loadOrMake() throws(DeviceKeyError) -> DeviceKey {
        do {
            return try load()
        } catch .unreadable(_, code: ENOENT) {
            try make()
            return try load()
        }
    }

    /// The key in the file.
    package func load() throws(DeviceKeyError) -> DeviceKey {
        // A FIFO in the place of the file must not block the node.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { close(file) }
        try checkAccess(file)
        var text = try read(file)
        defer { text.wipe() }
        do {
            return try DeviceKey(pem: text)
        } catch {
            throw .malformed(path: path, error)
        }
    }

    private func checkAccess(_ file: Int32) throws(DeviceKeyError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard status.st_uid == geteuid() else {
            throw .foreignOwner(path: path, owner: status.st_uid, user: geteuid())
        }
        guard status.st_mode & 0o7177 == 0 else {
            throw .modeTooWide(path: path, mode: status.st_mode & 0o7777)
        }
    }

    /// Reads the whole file, but at most one byte more than a key may have.
    private func read(_ file: Int32) throws(DeviceKeyError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: DeviceKey.pemBytesMax + 1)
        defer { buffer.wipe() }
        var length = 0
        while length < buffer.count {
            let count = buffer[length...].withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress, $0.count)
            }
            if count == 0 { break }
            if count > 0 {
                length += count
            } else if errno != EINTR {
                throw .unreadable(path: path, code: errno)
            }
        }
        return Array(buffer[..<length])
    }

    /// Writes a new key to a temporary file and hard-links it to `path`.
    ///
    /// If another process created `path` first, the link fails and the key of that process counts.
    private func make() throws(DeviceKeyError) {
        try writeKey { draft throws(DraftFile.Failure) in try draft.link() }
    }

    /// Replaces the present key with a new key, and keeps the present key under the name `earlier`.
    ///
    /// The file exists at every moment. An error leaves the present key in place and no `earlier`;
    /// only if the last sync failed, the new key may be in place.
    package func replace(keeping earlier: String) throws(DeviceKeyError) {
        try writeKey { draft throws(DraftFile.Failure) in
            guard link(path, earlier) == 0 else { throw DraftFile.Failure(code: errno) }
            do throws(DraftFile.Failure) {
                try draft.replace()
            } catch {
                // If only the sync failed, the rename has happened, and the draft is gone.
                if access(draft.path, F_OK) == 0 { unlink(earlier) }
                throw error
            }
        }
    }

    /// Writes a new key as a draft, for which `place` finds its place.
    private func writeKey(
        _ place: (DraftFile) throws(DraftFile.Failure) -> Void
    ) throws(DeviceKeyError) {
        let draft = DraftFile(of: path)
        defer { draft.remove() }
        var text = Array(DeviceKey.random().pem.utf8)
        defer { text.wipe() }
        do throws(DraftFile.Failure) {
            try draft.write(text)
            try place(draft)
        } catch {
            throw .cannotCreate(path: path, code: error.code)
        }
    }
}
