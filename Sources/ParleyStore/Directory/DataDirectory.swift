import Glibc

/// The directory that holds everything of one node, made if it is not there, closed to others and
/// locked against a second process for as long as this lives.
package final class DataDirectory: Sendable {
    /// As it was given.
    package let path: String
    /// What tells this directory from a copy of it, without the database.
    let place: DirectoryPlace
    private let lock: DirectoryLock

    /// Makes `path` (and what leads to it) unless it is there, and takes the lock.
    ///
    /// A directory that others may enter is closed to them if it is empty and refused if not, for
    /// what lies in it may have been read. `machineFile` holds a text that no two machines share.
    /// - Throws: `inUse`, `tooOpen`, `unreachable`, `full`.
    package init(path: String, machineFile: String = "/etc/machine-id") throws(StoreError) {
        self.path = path
        try Self.make(path)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path: path, code: errno) }
        defer { Glibc.close(descriptor) }
        try Self.shut(descriptor, path: path)
        lock = try DirectoryLock(directory: path)
        place = try DirectoryPlace(
            directory: descriptor,
            path: path,
            machineFile: machineFile
        )
    }

    /// The path of the file `name` in this directory.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Gives the directory to whoever wants it next; nothing may be written any more.
    package func release() {
        lock.release()
    }

    /// Bytes that the file system still gives to this user.
    func freeBytes() throws(StoreError) -> UInt64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .system(path: path, code: errno) }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
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

    private static func shut(_ descriptor: Int32, path: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path: path, code: errno) }
        guard status.st_mode & 0o077 != 0 else { return }
        guard try isEmpty(path) else {
            throw .tooOpen(path: path, mode: status.st_mode & 0o7777)
        }
        guard fchmod(descriptor, 0o700) == 0 else { throw .system(path: path, code: errno) }
    }

    private static func isEmpty(_ path: String) throws(StoreError) -> Bool {
        guard let stream = opendir(path) else { throw .system(path: path, code: errno) }
        defer { closedir(stream) }
        var names = 0
        while readdir(stream) != nil { names += 1 }
        // "." and ".." are always there.
        return names <= 2
    }
}

extension StoreError {
    /// What the system's error `code` on `path` means.
    static func system(path: String, code: Int32) -> StoreError {
        switch code {
        case ENOSPC, EDQUOT: .full(path: path)
        case EIO: .io(path: path, detail: String(cString: strerror(code)))
        case EROFS: .readOnly(path: path)
        default: .unreachable(path: path, reason: String(cString: strerror(code)))
        }
    }
}
