import Glibc
import ParleyCore

/// What tells a data directory from a copy of it: the machine, the file system, and the inodes of
/// the directory and of the database in it.
///
/// An epoch is kept together with the place where it was made. At another place a new epoch
/// begins, so that a copied directory or a database restored from a backup never repeats a dot.
/// The device number is left out, because it changes between boots on some file systems; the file
/// system's own identifier does not. A clone of a whole machine that keeps its machine-id has the
/// same place: peers find that out (`duplicateIdentity`, unknown dots).
struct DirectoryPlace: Equatable, Sendable {
    /// The place as it is kept beside the epoch.
    private(set) var bytes: [UInt8] = []

    /// The place of the open directory `descriptor`, without a database.
    ///
    /// A machine without a `machineFile` counts as one with every other of that kind.
    init(directory descriptor: Int32, path: String, machineFile: String) throws(StoreError) {
        var system = statvfs()
        guard fstatvfs(descriptor, &system) == 0 else {
            throw .system(path: path, code: errno)
        }
        bytes.appendBigEndian(RowSum.hash(Self.machine(machineFile).span.bytes, seed: 0))
        bytes.appendBigEndian(UInt64(system.f_fsid))
        try appendInode(of: descriptor, path: path)
    }

    /// This place with the database in the open file `descriptor`.
    ///
    /// The file must not be open in SQLite: closing the descriptor would end SQLite's locks.
    func with(database descriptor: Int32, path: String) throws(StoreError) -> DirectoryPlace {
        var place = self
        try place.appendInode(of: descriptor, path: path)
        return place
    }

    /// Number and generation: numbers are used again, at once on some file systems, and the
    /// generation tells the uses apart where there is one.
    private mutating func appendInode(of file: Int32, path: String) throws(StoreError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(path: path, code: errno) }
        bytes.appendBigEndian(UInt64(status.st_ino))
        var generation: UInt64 = 0
        if ioctl(file, Self.getGeneration, &generation) != 0 { generation = 0 }
        bytes.appendBigEndian(UInt32(truncatingIfNeeded: generation))
    }

    /// `FS_IOC_GETVERSION`, `_IOR('v', 1, long)`; the kernel fills in the lower half.
    private static let getGeneration: UInt = 0x8008_7601

    /// At most 128 bytes of the file, without white space; empty if it cannot be read.
    private static func machine(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count).filter { $0 > 32 } : []
    }
}
