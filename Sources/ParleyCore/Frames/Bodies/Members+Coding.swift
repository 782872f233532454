/// Records about the members of a conversation, the sum of all that the sender has, and the role of
/// the sender.
package struct MembersFrame: Sendable, Equatable {
    /// The sender's number of the conversation; `noNumber` if it is not shared, so that only the
    /// records tell.
    package var conversation: UInt32
    package static let noNumber = UInt32.max
    /// At most `Limits.memberRecords`; readers leave out records of kinds that they do not know.
    package var records: [MemberEntry] = []
    /// The sum at the beginning of a link, and in the frames that answer another sum.
    package var sum: UInt64?
    /// The role of the sender, at the beginning of a link.
    package var role: RoleProof?
    /// Whether the sender asks for an admission, as nobody has admitted it yet.
    package var asksForAdmission = false

    package init(
        conversation: UInt32,
        records: [MemberEntry] = [],
        sum: UInt64? = nil,
        role: RoleProof? = nil,
        asksForAdmission: Bool = false
    ) {
        self.conversation = conversation
        self.records = records
        self.sum = sum
        self.role = role
        self.asksForAdmission = asksForAdmission
    }

    /// The frames that carry records in order; the sum goes with the last one.
    static func frames(
        of conversation: UInt32,
        _ records: [MemberEntry],
        sum: UInt64?
    ) -> [MembersFrame] {
        var frames = [MembersFrame(conversation: conversation)]
        var bytes = 0
        for record in records {
            bytes += record.packed.count
            let last = frames.count - 1
            let isFull = frames[last].records.count == Limits.memberRecords
            if isFull || bytes > Limits.memberFrameBytes && !frames[last].records.isEmpty {
                frames.append(MembersFrame(conversation: conversation, records: [record]))
                bytes = record.packed.count
            } else {
                frames[last].records.append(record)
            }
        }
        frames[frames.count - 1].sum = sum
        return frames
    }
}

extension MembersFrame: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        records = try map.unlessEmpty(3, { $0.records }, read: Self.records, write: Self.write)
        sum = try map.optional(5) { $0.sum }
        role = try map.optional(7) { $0.role }
        asksForAdmission = try map.flag(9) { $0.asksForAdmission }
    }

    private static func records(
        from reader: inout CBORReader
    ) throws(CodecError) -> [MemberEntry] {
        var records: [MemberEntry] = []
        for _ in 0..<(try reader.openList(countMax: Limits.memberRecords)) {
            try reader.openArray(of: 2)
            let kind = try reader.unsigned()
            let packed = try reader.byteString(lengthMax: Limits.memberRecordBytes)
            reader.closeArray()
            if let record = try MemberEntry(kind: kind, packed: packed) { records.append(record) }
        }
        reader.closeArray()
        return records
    }

    private static func write(_ records: [MemberEntry], to writer: inout CBORWriter) {
        writer.array(count: records.count)
        for record in records {
            writer.array(count: 2)
            writer.unsigned(record.kind)
            writer.byteString(record.packed)
        }
    }
}

extension RoleProof: CBORItem {
    init(from reader: inout CBORReader) throws(CodecError) {
        let packed = try reader.byteString(lengthMax: Limits.memberRecordBytes)
        guard let role = RoleProof(packed: packed) else { throw .outOfRange }
        self = role
    }

    func write(to writer: inout CBORWriter) { writer.byteString(packed) }
}
