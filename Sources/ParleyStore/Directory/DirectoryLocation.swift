import Glibc
import ParleyCore

/// The location of a data directory: the machine, the file system, and the inodes of the directory
/// and its database.
///
/// An epoch is stored together with the location in which it was made. In another location a new
/// epoch begins, so that a copied directory or a database restored from a backup never repeats a
/// dot. The device number is not part of the location, because it changes between boots on some
/// file systems; the file system's own identifier does not. A clone of a whole machine has an equal
/// location if the machine-id is kept; peers detect such a clone (`duplicateIdentity`, unknown
/// dots).
struct DirectoryLocation: Equatable, Sendable {
    /// The location as it is stored beside the epoch.
    private(set) var bytes: [UInt8] = []

    /// The location of the open directory `descriptor`, without a database.
    ///
    /// Machines without a `machineFile` are not distinguished from one another.
    init(directory descriptor: Int32, path: String, machineFile: String) throws(StoreError) {
        var system = statvfs()
        guard fstatvfs(descriptor, &system) == 0 else {
            throw .system(path: path, code: errno)
        }
        bytes.appendBigEndian(RowSum.hash(Self.machine(machineFile).span.bytes, seed: 0))
        bytes.appendBigEndian(UInt64(system.f_fsid))
        try appendInode(of: descriptor, path: path)
    }

    /// This location together with the database in the open file `descriptor`.
    ///
    /// SQLite must not have the file open: closing `descriptor` would release SQLite's locks.
    func with(database descriptor: Int32, path: String) throws(StoreError) -> DirectoryLocation {
        var location = self
        try location.appendInode(of: descriptor, path: path)
        return location
    }

    /// Appends the inode's number and generation.
    ///
    /// File systems reuse inode numbers, some of them at once; the generation, where the file
    /// system has one, distinguishes the uses.
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

    /// The first 128 bytes of the file, without white space; empty if the file cannot be read.
    private static func machine(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count).filter { $0 > 32 } : []
    }
}
