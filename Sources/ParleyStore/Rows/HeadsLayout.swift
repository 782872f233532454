import ParleyCore

/// The encoding of the heads of a session in one column.
///
/// The column holds the version (1 byte), the count (1), and for each head its origin (16),
/// sequence (8), the length of its envelope (4) and the envelope. Numbers are big-endian.
///
/// The checksum of the row detects damage. The decoder checks all lengths nevertheless, so that it
/// never reads out of bounds.
enum HeadsLayout {
    static let version: UInt8 = 1
    private static let fixedBytes = OriginID.count + 8 + 4

    /// Appends the column for `heads`, at most 255, all of which must have their bytes.
    static func append(_ heads: Few<StoredHead>, to buffer: inout [UInt8]) {
        precondition(heads.count <= Int(UInt8.max), "a session has more heads than a row holds")
        buffer.append(version)
        buffer.append(UInt8(heads.count))
        for head in heads {
            let envelope = head.envelope ?? .empty
            head.dot.origin.value.append(to: &buffer)
            buffer.appendBigEndian(head.dot.sequence)
            buffer.appendBigEndian(UInt32(envelope.count))
            envelope.append(to: &buffer)
        }
    }

    /// Decodes the heads of `column`, or returns nil if it is malformed; the envelopes share the
    /// memory of `column`.
    static func heads(of column: Slice) -> Few<StoredHead>? {
        guard column.count >= 2, column[0] == version else { return nil }
        let count = Int(column[1])
        var heads = Few<StoredHead>()
        heads.reserveCapacity(count)
        var offset = 2
        for _ in 0..<count {
            guard column.count - offset >= fixedBytes else { return nil }
            let dot = Dot(
                origin: OriginID(reading: column, at: offset),
                sequence: column.bigEndian(at: offset + OriginID.count)
            )
            let length: UInt32 = column.bigEndian(at: offset + OriginID.count + 8)
            offset += fixedBytes
            guard column.count - offset >= Int(length) else { return nil }
            let envelope = column[offset..<offset + Int(length)]
            heads.append(StoredHead(dot: dot, envelope: envelope))
            offset += Int(length)
        }
        return offset == column.count ? heads : nil
    }
}
