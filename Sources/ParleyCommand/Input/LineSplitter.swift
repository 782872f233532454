/// Splits a stream of bytes into lines.
package struct LineSplitter: Sendable {
    private var rest: [UInt8] = []

    /// Makes a splitter at the start of a stream.
    package init() {}

    /// The number of bytes of the incomplete line.
    package var restCount: Int { rest.count }

    /// Adds bytes, and returns the lines completed by them, without line ends.
    package mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == 0x0A {
                lines.append(rest)
                rest.removeAll(keepingCapacity: true)
            } else {
                rest.append(byte)
            }
        }
        return lines
    }

    /// The bytes after the last line end, nil if there are none.
    package mutating func finish() -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        defer { rest = [] }
        return rest
    }
}
