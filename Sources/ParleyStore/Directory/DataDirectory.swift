import Glibc

/// The data directory of one node.
///
/// Only its owner may enter the directory, and a lock keeps other processes out as long as this
/// object lives.
package final class DataDirectory: Sendable {
    /// The path as the caller gave it.
    package let path: String
    /// The location of the directory, without the database.
    let location: DirectoryLocation
    private let lock: DirectoryLock

    /// Creates the directory and its parents if they do not exist, and takes the lock.
    ///
    /// An empty directory that other users may enter is closed to them. A directory with files is
    /// refused: other users may have read the files, or no node wrote them. `machineFile` names a
    /// file whose content differs from machine to machine.
    ///
    /// - Throws: `inUse`, `foreignOwner`, `tooOpen`, `occupied`, `unreachable`, `full`.
    package init(path: String, machineFile: String = "/etc/machine-id") throws(StoreError) {
        self.path = path
        try Self.make(path)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path: path, code: errno) }
        defer { Glibc.close(descriptor) }
        let status = try Self.status(of: descriptor, path: path)
        try Self.shut(descriptor, status, path: path)
        lock = try DirectoryLock(directory: path)
        location = try DirectoryLocation(
            directory: descriptor,
            path: path,
            machineFile: machineFile
        )
    }

    /// The path of the file `name` in this directory.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Whether the directory has a device key, which a node makes after its database.
    var hasKey: Bool { access(file("device.key"), F_OK) == 0 }

    /// Releases the lock; the caller must not write to the directory any more.
    package func release() {
        lock.release()
    }

    private static func make(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex
        else { throw .system(path: path, code: errno) }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(path: path, code: errno)
        }
    }

    /// The status of an open file or directory of a node.
    ///
    /// A node that runs as root would otherwise leave files that the owner cannot use.
    /// - Throws: `foreignOwner` if the file belongs to another user than this process.
    static func status(of file: Int32, path: String) throws(StoreError) -> stat {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(path: path, code: errno) }
        guard status.st_uid == geteuid() else {
            throw .foreignOwner(path: path, owner: status.st_uid, user: geteuid())
        }
        return status
    }

    private static func shut(
        _ descriptor: Int32,
        _ status: stat,
        path: String
    ) throws(StoreError) {
        guard status.st_mode & 0o077 != 0 else { return }
        guard try isEmpty(path) else {
            // Root, if told to close /etc to others, would ruin the machine.
            guard isOfNode(path) else { throw .occupied(path: path) }
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777)
        }
        guard fchmod(descriptor, 0o700) == 0 else { throw .system(path: path, code: errno) }
    }

    /// Whether a node has kept its key or its database in the directory.
    private static func isOfNode(_ path: String) -> Bool {
        ["device.key", "parley.sqlite"].contains { access("\(path)/\($0)", F_OK) == 0 }
    }

    private static func isEmpty(_ path: String) throws(StoreError) -> Bool {
        guard let stream = opendir(path) else { throw .system(path: path, code: errno) }
        defer { closedir(stream) }
        var names = 0
        while readdir(stream) != nil { names += 1 }
        // Every directory contains "." and "..".
        return names <= 2
    }
}

extension StoreError {
    /// The error for the `errno` `code` of a system call on `path`.
    static func system(path: String, code: Int32) -> StoreError {
        switch code {
        case ENOSPC, EDQUOT: .full(path: path)
        case EIO: .io(path: path, detail: String(cString: strerror(code)))
        case EROFS: .readOnly(path: path)
        default: .unreachable(path: path, reason: String(cString: strerror(code)))
        }
    }
}
