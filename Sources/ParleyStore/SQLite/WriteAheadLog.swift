import Glibc

/// The size of the database's write-ahead log, whose file is made longer before SQLite fills it.
///
/// Syncing a file that has grown takes about twice as long as syncing overwritten bytes, because
/// the file system also writes the new size and blocks. So the file is lengthened with zeros,
/// doubled each time, up to the size that triggers a checkpoint. After a checkpoint SQLite starts
/// over at the beginning of the file, and reads a log up to the first frame whose salts differ from
/// the salts in the log's header ("Database File Format", sections 4.1 and 4.4). A frame of zeros
/// has other salts.
struct WriteAheadLog {
    /// The pages that were written since the last checkpoint.
    private(set) var pages = 0
    /// Whether a checkpoint may make the database shorter, as the log of an earlier process may.
    var shortensDatabase = true
    /// The pages for which the file is long enough; 0 if that is not known.
    private var capacity = 0

    /// The length of a page with the header of its frame, in bytes.
    private static let frame = 4_096 + 24
    /// The least number of pages that a file is lengthened to.
    private static let leastCapacity = 64
    /// The greatest number of pages that a file is lengthened to: a checkpoint comes after the
    /// commit that reaches the limit.
    private static let greatestCapacity = StoreLimits.logPages * 5 / 4

    mutating func add(pages more: Int) {
        pages += more
    }

    /// Notes that the log was copied into the database, and its file perhaps made shorter.
    mutating func restart() {
        pages = 0
        capacity = 0
    }

    /// Lengthens the file if more than half of it is used.
    ///
    /// Nobody else may append to the file during the call, so a transaction must hold the lock of
    /// writers. If the file cannot be lengthened, as on a full disk, it remains as it is: SQLite
    /// does the same when it needs the space, and reports the error.
    mutating func lengthen(_ file: StoreFile) {
        guard pages * 2 >= capacity, capacity < Self.greatestCapacity else { return }
        let wanted = min(max(pages * 4, Self.leastCapacity), Self.greatestCapacity)
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { return }
        var size = Int(status.st_size)
        let zeros = [UInt8](repeating: 0, count: 65_536)
        while size < wanted * Self.frame {
            let count = min(zeros.count, wanted * Self.frame - size)
            let written = pwrite(file.descriptor, zeros, count, size)
            guard written > 0 else { return }
            size += written
        }
        capacity = size / Self.frame
    }
}
