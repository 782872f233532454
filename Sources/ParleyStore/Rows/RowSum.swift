import ParleyCore

/// A 64-bit checksum over the values of a row, which detects damaged rows.
///
/// Byte strings are hashed with XXH64, and numbers are mixed in with one round of XXH64. The
/// checksum detects accidental damage and gives no protection against forgery.
struct RowSum {
    private var state: UInt64

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Starts an empty checksum; with a seed for each table, a row is invalid in any other table.
    init(seed: UInt64) {
        state = seed
    }

    /// The checksum as SQLite stores it.
    var value: Int64 { Int64(bitPattern: Self.finish(state)) }

    mutating func add(_ number: UInt64) {
        state = Self.round(state, number)
    }

    mutating func add(_ number: Int64) {
        add(UInt64(bitPattern: number))
    }

    mutating func add(_ value: Bytes16) {
        add(value.words.0)
        add(value.words.1)
    }

    mutating func add(_ bytes: RawSpan) {
        state = Self.hash(bytes, seed: state)
    }

    mutating func add(_ bytes: [UInt8]) {
        add(bytes.span.bytes)
    }

    mutating func add(_ slice: Slice) {
        slice.withBytes { add($0) }
    }

    /// XXH64 of `bytes`.
    static func hash(_ bytes: RawSpan, seed: UInt64) -> UInt64 {
        var offset = 0
        let count = bytes.byteCount
        var hash: UInt64
        if count >= 32 {
            var lane1 = seed &+ prime1 &+ prime2
            var lane2 = seed &+ prime2
            var lane3 = seed
            var lane4 = seed &- prime1
            while offset + 32 <= count {
                lane1 = round(lane1, word(bytes, offset))
                lane2 = round(lane2, word(bytes, offset + 8))
                lane3 = round(lane3, word(bytes, offset + 16))
                lane4 = round(lane4, word(bytes, offset + 24))
                offset += 32
            }
            hash =
                rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
            for lane in [lane1, lane2, lane3, lane4] {
                hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
            }
        } else {
            hash = seed &+ prime5
        }
        hash &+= UInt64(count)
        while offset + 8 <= count {
            hash = rotate(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= count {
            let half = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
            hash = rotate(hash ^ (UInt64(UInt32(littleEndian: half)) &* prime1), 23)
            hash = hash &* prime2 &+ prime3
            offset += 4
        }
        while offset < count {
            let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            hash = rotate(hash ^ (UInt64(byte) &* prime5), 11) &* prime1
            offset += 1
        }
        return finish(hash)
    }

    private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
        UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value &<< bits | value &>> (64 - bits)
    }

    private static func finish(_ hash: UInt64) -> UInt64 {
        var hash = hash
        hash = (hash ^ hash >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }
}
