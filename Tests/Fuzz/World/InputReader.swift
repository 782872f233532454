/// Takes numbers and runs of bytes from an input; behind its end there are zeros.
struct InputReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// A big-endian number.
    mutating func number(bytes count: Int) -> UInt64 {
        (0..<count).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
    }

    /// A run of bytes with its length, in two bytes, in front; shorter if the input ends.
    mutating func run() -> [UInt8] {
        let count = Int(number(bytes: 2))
        let end = min(bytes.count, offset + count)
        defer { offset = end }
        return Array(bytes[offset..<max(offset, end)])
    }

    /// A run as `run` reads it.
    static func written(_ run: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: run.count >> 8), UInt8(truncatingIfNeeded: run.count)] + run
    }
}
