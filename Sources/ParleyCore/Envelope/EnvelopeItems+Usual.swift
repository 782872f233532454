extension EnvelopeItems {
    /// Reads items of the usual form that fill `slice`: without a context, next participants, blobs
    /// and items of later versions, and not the end of a session.
    ///
    /// The result is that of the general reader, which reads everything that is nil here.
    package static func usual(_ slice: Slice) -> EnvelopeItems? {
        slice.withBytes { bytes in
            // An array of eight items begins with tag and origin.
            guard bytes.byteCount > 64, bytes.bigEndian(at: 0) as UInt16 == 0x8850,
                bytes.byte(at: 18) == 0x50
            else { return nil }
            var offset = 35
            // The rest of the header: two empty byte strings, false and an empty array.
            guard let sequence = number(in: bytes, at: &offset),
                let revision = number(in: bytes, at: &offset),
                bytes.bigEndian(at: offset) as UInt32 == 0x4040_f480
            else { return nil }
            let headerCount = offset + 4
            guard let bodyCount = bodyCount(in: bytes, at: headerCount) else { return nil }
            let origin = OriginID(Bytes16(bytes.bigEndian(at: 19), bytes.bigEndian(at: 27)))
            return EnvelopeItems(
                header: EnvelopeHeader(
                    tag: SessionTag(Bytes16(bytes.bigEndian(at: 2), bytes.bigEndian(at: 10))),
                    dot: Dot(origin: origin, sequence: sequence),
                    revision: revision
                ),
                bytes: slice,
                headerCount: headerCount,
                bodyCount: bodyCount
            )
        }
    }

    /// The length of the byte string of 24 to 65,535 bytes that begins at an offset and ends with
    /// the bytes.
    private static func bodyCount(in bytes: RawSpan, at offset: Int) -> Int? {
        let count: Int
        let head: Int
        switch bytes.byte(at: offset) {
        case 0x58: (count, head) = (Int(bytes.byte(at: offset + 1)), 2)
        case 0x59: (count, head) = (Int(bytes.bigEndian(at: offset + 1) as UInt16), 3)
        default: return nil
        }
        guard count >= (head == 2 ? 24 : 256), offset + head + count == bytes.byteCount else {
            return nil
        }
        return count
    }

    /// A number from 1 on in its shortest form, with nine bytes behind `offset`.
    private static func number(in bytes: RawSpan, at offset: inout Int) -> UInt64? {
        let head = bytes.byte(at: offset)
        let number: UInt64
        let least: UInt64
        switch head {
        case 1..<24:
            offset += 1
            return UInt64(head)
        case 24:
            (number, least) = (UInt64(bytes.byte(at: offset + 1)), 24)
            offset += 2
        case 25:
            (number, least) = (UInt64(bytes.bigEndian(at: offset + 1) as UInt16), 1 << 8)
            offset += 3
        case 26:
            (number, least) = (UInt64(bytes.bigEndian(at: offset + 1) as UInt32), 1 << 16)
            offset += 5
        case 27:
            (number, least) = (bytes.bigEndian(at: offset + 1), 1 << 32)
            offset += 9
        default: return nil
        }
        return number >= least && number < Limits.sequenceEnd ? number : nil
    }
}
