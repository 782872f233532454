import ParleyCore

/// The heads of a session as one column.
///
/// Version (1 byte), count (1), and for each head its origin (16), sequence (8), the length of its
/// envelope (4) and the envelope. Numbers are big-endian.
///
/// The row's sum guards it against damage, so a layout that does not add up is told apart only to
/// be safe, not to be repaired.
enum HeadsLayout {
    static let version: UInt8 = 1
    private static let fixedBytes = OriginID.count + 8 + 4

    /// Appends the column for heads that all have their bytes; at most 255 of them.
    static func append(_ heads: [StoredHead], to buffer: inout [UInt8]) {
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

    /// The heads of a column, or nil if it is not one; the envelopes share its chunk.
    static func heads(of column: Slice) -> [StoredHead]? {
        guard column.count >= 2, column[0] == version else { return nil }
        let count = Int(column[1])
        var heads: [StoredHead] = []
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
