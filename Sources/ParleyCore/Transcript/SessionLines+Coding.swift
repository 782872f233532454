/// Why stored lines were refused: the row is damaged, or a later version wrote it.
package enum SessionLinesError: Error, Sendable, Equatable {
    case unknownVersion(UInt8)
    /// The bytes end inside a line.
    case truncated
    /// A sequence, place or revision that no envelope can have.
    case numberOutOfRange
    /// A line with flags that this version does not know.
    case unknownFlags(UInt8)
    /// A summary text that is too long or not UTF-8.
    case badText
}

// The layout of the data directory, never on the wire, with big-endian numbers. Without lines there
// are no bytes; otherwise a version byte, 1, and for each line
//
//     u8 flags · origin (16) · u64 sequence · u64 place · u64 revision · i64 sentAt
//     [flag 1: session (16), left out if equal to that of the previous line]
//     [flag 2: u16 length · summary text]
extension SessionLines {
    private static let version: UInt8 = 1
    private static let hasSession: UInt8 = 1
    private static let hasSummary: UInt8 = 2

    /// The lines as they are stored.
    package func encoded() -> [UInt8] {
        guard !isEmpty else { return [] }
        var buffer = [Self.version]
        var previous: SessionUUID?
        for line in lines {
            Self.append(line, after: previous, to: &buffer)
            previous = line.session
        }
        return buffer
    }

    /// Decodes the bytes that `encoded` returns.
    package init(decoding slice: Slice) throws(SessionLinesError) {
        self.init()
        guard !slice.isEmpty else { return }
        guard slice[0] == Self.version else { throw .unknownVersion(slice[0]) }
        guard slice.count > 1 else { throw .truncated }
        var lines: [ShownLine] = []
        var offset = 1
        while offset < slice.count {
            let line = try Self.line(of: slice, at: &offset, after: lines.last?.session)
            lines.append(line)
        }
        self.init(lines)
    }

    private static func append(
        _ line: ShownLine,
        after previous: SessionUUID?,
        to buffer: inout [UInt8]
    ) {
        let isSameSession = line.session == previous
        let flags =
            (isSameSession ? 0 : hasSession) | (line.summaryText == nil ? 0 : hasSummary)
        buffer.append(flags)
        line.dot.origin.append(to: &buffer)
        buffer.appendBigEndian(line.dot.sequence)
        buffer.appendBigEndian(line.place)
        buffer.appendBigEndian(line.revision)
        buffer.appendBigEndian(line.sentAt)
        if !isSameSession {
            line.session.append(to: &buffer)
        }
        if let text = line.summaryText {
            buffer.appendBigEndian(UInt16(text.utf8.count))
            buffer.append(contentsOf: text.utf8)
        }
    }

    private static func line(
        of slice: Slice,
        at offset: inout Int,
        after previous: SessionUUID?
    ) throws(SessionLinesError) -> ShownLine {
        let flags = slice[offset]
        guard flags & ~(hasSession | hasSummary) == 0 else { throw .unknownFlags(flags) }
        var fields = try take(OriginID.count + 32, of: slice, from: offset + 1)
        let origin = OriginID(reading: fields, at: 0)
        let sequence = try number(of: fields, at: 16)
        let place = try number(of: fields, at: 24)
        let revision = try number(of: fields, at: 32)
        let sentAt: Int64 = fields.bigEndian(at: 40)
        offset += 1 + fields.count
        var session = previous
        if flags & hasSession != 0 {
            fields = try take(SessionUUID.count, of: slice, from: offset)
            session = SessionUUID(reading: fields, at: 0)
            offset += fields.count
        }
        guard let session else { throw .unknownFlags(flags) }
        var text: String?
        if flags & hasSummary != 0 {
            text = try summary(of: slice, at: &offset)
        }
        return ShownLine(
            dot: Dot(origin: origin, sequence: sequence),
            place: place,
            revision: revision,
            sentAt: sentAt,
            session: session,
            summaryText: text
        )
    }

    private static func summary(
        of slice: Slice,
        at offset: inout Int
    ) throws(SessionLinesError) -> String {
        let length: UInt16 = try take(2, of: slice, from: offset).bigEndian(at: 0)
        guard length <= ShownLine.summaryBytesMax else { throw .badText }
        let bytes = try take(Int(length), of: slice, from: offset + 2)
        guard let text = String(validating: bytes.bytes, as: UTF8.self) else { throw .badText }
        offset += 2 + bytes.count
        return text
    }

    private static func take(
        _ count: Int,
        of slice: Slice,
        from offset: Int
    ) throws(SessionLinesError) -> Slice {
        guard slice.count - offset >= count else { throw .truncated }
        return slice[offset..<offset + count]
    }

    private static func number(
        of slice: Slice,
        at offset: Int
    ) throws(SessionLinesError) -> UInt64 {
        let number: UInt64 = slice.bigEndian(at: offset)
        guard number < Limits.sequenceEnd else { throw .numberOutOfRange }
        return number
    }
}
