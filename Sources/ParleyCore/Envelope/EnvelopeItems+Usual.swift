/// An envelope's header of the usual form, without references: no context, next participants, blobs
/// and items of later versions, and not the end of a session.
struct UsualHeader {
    let tag: SessionTag
    let dot: Dot
    let revision: UInt64
    /// The length of the header in bytes, and that of the sealed body behind its length.
    let headerCount: Int
    let bodyCount: Int

    /// Reads the header in front of a sealed body that ends with the bytes.
    ///
    /// The result is that of the general reader, which reads everything that is nil here.
    init?(_ bytes: RawSpan) {
        // An array of eight items begins with tag and origin.
        guard bytes.byteCount > 64, bytes.bigEndian(at: 0) as UInt16 == 0x8850,
            bytes.byte(at: 18) == 0x50
        else { return nil }
        var offset = 35
        // The rest of the header: two empty byte strings, false and an empty array.
        guard let sequence = Self.number(in: bytes, at: &offset),
            let revision = Self.number(in: bytes, at: &offset),
            bytes.bigEndian(at: offset) as UInt32 == 0x4040_f480,
            let bodyCount = Self.bodyCount(in: bytes, at: offset + 4)
        else { return nil }
        tag = SessionTag(Bytes16(bytes.bigEndian(at: 2), bytes.bigEndian(at: 10)))
        dot = Dot(
            origin: OriginID(Bytes16(bytes.bigEndian(at: 19), bytes.bigEndian(at: 27))),
            sequence: sequence
        )
        self.revision = revision
        headerCount = offset + 4
        self.bodyCount = bodyCount
    }

    /// The values of the envelope that the register needs.
    func head(digest: Bytes32) -> Head {
        Head(
            dot: dot,
            revision: revision,
            context: [],
            tieBreak: EnvelopeHeader.tieBreak(tag: tag, origin: dot.origin, revision: revision),
            digest: digest
        )
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

extension EnvelopeItems {
    /// Reads items that fill `slice` and have a header of the usual form; nil for any other.
    package static func usual(_ slice: Slice) -> EnvelopeItems? {
        slice.withBytes { UsualHeader($0) }
            .map { usual in
                EnvelopeItems(
                    header: EnvelopeHeader(
                        tag: usual.tag,
                        dot: usual.dot,
                        revision: usual.revision
                    ),
                    bytes: slice,
                    headerCount: usual.headerCount,
                    bodyCount: usual.bodyCount
                )
            }
    }
}
