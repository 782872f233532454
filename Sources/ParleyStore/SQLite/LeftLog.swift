import Glibc

/// The write-ahead log that an earlier process left beside a database.
///
/// SQLite reads a log up to the first frame whose checksum or salts are wrong, and says nothing
/// about commits behind that frame ("Database File Format", sections 4.1 to 4.4).
struct LeftLog: ~Copyable {
    private let descriptor: Int32
    private var sum = LogChecksum(isBigEndian: false)
    private var header: [UInt8] = []
    /// The length of a frame with its page, in bytes.
    private var frameLength = 0

    /// Whether SQLite will not find all that was committed to the log.
    ///
    /// The answer may be true although no commit is missing, after a power failure while a commit
    /// was written, or if a process ended before its first commit. Nobody may write to the log
    /// during the call.
    static func isCut(ofDatabase path: String) -> Bool {
        let descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        // SQLite removes the index of the log first, and then the log.
        guard descriptor >= 0 else { return errno == ENOENT && access(path + "-shm", F_OK) == 0 }
        var log = LeftLog(descriptor: descriptor)
        return log.isCut
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    private var isCut: Bool {
        mutating get {
            guard readHeader() else { return true }
            var offset = header.count
            while let frame = bytes(frameLength, at: offset), isNext(frame) {
                offset += frameLength
            }
            // Zeros or frames of an earlier round follow the last frame, as `WriteAheadLog`
            // lengthens the file in time. An earlier round has two other salts.
            guard bytes(frameLength, at: offset) != nil else { return true }
            while let frame = bytes(24, at: offset) {
                if frame[8..<12] == header[16..<20] || frame[12..<16] == header[20..<24] {
                    return true
                }
                offset += frameLength
            }
            return false
        }
    }

    /// Reads the header of the log; false if SQLite ignores it and all that follows.
    private mutating func readHeader() -> Bool {
        guard let bytes = bytes(32, at: 0), Self.word(bytes, 0) | 1 == 0x377F_0683 else {
            return false
        }
        header = bytes
        sum = LogChecksum(isBigEndian: bytes[3] & 1 == 1)
        sum.add(bytes[0..<24])
        frameLength = 24 + Int(Self.word(bytes, 8) & 0x1FFFF)
        return sum.isAt(Self.word(bytes, 24), Self.word(bytes, 28)) && frameLength > 512
    }

    /// Whether SQLite takes a frame as the next one of the log.
    private mutating func isNext(_ frame: [UInt8]) -> Bool {
        guard frame[8..<16] == header[16..<24], Self.word(frame, 0) != 0 else { return false }
        sum.add(frame[0..<8])
        sum.add(frame[24...])
        return sum.isAt(Self.word(frame, 16), Self.word(frame, 20))
    }

    private func bytes(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, offset) == count ? bytes : nil
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The running checksum of SQLite's log, over pairs of words.
private struct LogChecksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes, whose count is a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let words = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let (one, two) = (UInt32(truncatingIfNeeded: words), UInt32(words >> 32))
                first &+= (isBigEndian ? one.byteSwapped : one) &+ second
                second &+= (isBigEndian ? two.byteSwapped : two) &+ first
            }
        }
    }

    func isAt(_ first: UInt32, _ second: UInt32) -> Bool {
        self.first == first && self.second == second
    }
}
