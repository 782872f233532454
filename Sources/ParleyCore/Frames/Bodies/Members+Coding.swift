/// Records about the members of a conversation, or the sum of all that the sender has.
package struct MembersFrame: Sendable, Equatable {
    /// The sender's number of the conversation.
    package var conversation: UInt32
    /// At most `Limits.memberRecords`; readers leave out records of kinds that they do not know.
    package var admissions: [Admission] = []
    /// The sum at the beginning of a link, and in the frames that answer another sum.
    package var sum: UInt64?

    /// The kind of a record that is an admission.
    fileprivate static let admission: UInt64 = 3

    package init(conversation: UInt32, admissions: [Admission] = [], sum: UInt64? = nil) {
        self.conversation = conversation
        self.admissions = admissions
        self.sum = sum
    }
}

extension MembersFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        if try reader.seek(3, in: &map) {
            for _ in 0..<(try reader.openList(countMax: Limits.memberRecords)) {
                try reader.openArray(of: 2)
                let kind = try reader.unsigned()
                let record = try reader.byteString(lengthMax: Limits.memberRecordBytes)
                reader.closeArray()
                guard kind == Self.admission else { continue }
                guard let admission = Admission(packed: record) else { throw .outOfRange }
                admissions.append(admission)
            }
            reader.closeArray()
        }
        sum = try reader.seek(5, in: &map) ? try reader.unsigned() : nil
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        if !admissions.isEmpty {
            writer.key(3, in: &map)
            writer.array(count: admissions.count)
            for admission in admissions {
                writer.array(count: 2)
                writer.unsigned(Self.admission)
                writer.byteString(admission.packed)
            }
        }
        if let sum {
            writer.key(5, in: &map)
            writer.unsigned(sum)
        }
        writer.closeMap(map)
    }
}
