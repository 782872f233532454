/// Cuts a stream of bytes into lines.
package struct LineSplitter: Sendable {
    private var rest: [UInt8] = []

    /// Nothing read yet.
    package init() {}

    /// Bytes of the line that is not complete.
    package var restCount: Int { rest.count }

    /// The lines that these bytes complete, without their ends.
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

    /// What came after the last line's end.
    package mutating func finish() -> [UInt8]? {
        guard !rest.isEmpty else { return nil }
        defer { rest = [] }
        return rest
    }
}
