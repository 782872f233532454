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
        let draft = "\(path).new-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .cannotCreate(path: path, code: errno) }
        defer { unlink(draft) }
        var text = Array(DeviceKey.random().pem.utf8)
        let failure = write(text, to: file)
        text.wipe()
        close(file)
        if let failure { throw .cannotCreate(path: path, code: failure) }
        guard link(draft, path) == 0 || errno == EEXIST else {
            throw .cannotCreate(path: path, code: errno)
        }
        try syncDirectory()
    }

    /// Writes `bytes` to the disk; returns the `errno` of the call that failed, or nil.
    private func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
        // The umask may have removed permissions of the owner.
        guard fchmod(file, 0o600) == 0 else { return errno }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.write(file, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                return errno
            }
        }
        return fsync(file) == 0 ? nil : errno
    }

    private func syncDirectory() throws(DeviceKeyError) {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .cannotCreate(path: path, code: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .cannotCreate(path: path, code: errno) }
    }
}
