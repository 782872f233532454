/// A record that a `members` frame carries.
package enum MemberEntry: Sendable, Equatable {
    case birth(Birth)
    /// The boxes are left out once nobody needs them any more.
    indirect case generation(GenerationRecord, KeyBoxes?)
    case admission(Admission)
    indirect case vouch(Vouch)
    indirect case card(Card)

    /// The number of the kind on the wire.
    package var kind: UInt64 {
        switch self {
        case .birth: 1
        case .generation: 2
        case .admission: 3
        case .vouch: 4
        case .card: 5
        }
    }

    /// The form on the wire, and of a generation also in the store.
    package var packed: [UInt8] {
        switch self {
        case .birth(let birth): return birth.packed
        case .admission(let admission): return admission.packed
        case .vouch(let vouch): return vouch.packed
        case .card(let card): return card.packed
        case .generation(let record, let boxes):
            let encoded = record.encoded
            var bytes: [UInt8] = []
            bytes.appendBigEndian(UInt32(encoded.count))
            return bytes + encoded + (boxes?.packed ?? [])
        }
    }

    /// Reads a record of a kind; nil of an unknown kind, and of a card with an unknown role.
    ///
    /// Later versions may have other roles.
    package init?(kind: UInt64, packed: Slice) throws(CodecError) {
        let entry: MemberEntry? =
            switch kind {
            case 1: Birth(packed: packed).map { .birth($0) }
            case 2: try Self.generation(packed)
            case 3: Admission(packed: packed).map { .admission($0) }
            case 4: Vouch(packed: packed).map { .vouch($0) }
            case 5: Card(packed: packed).map { .card($0) }
            default: nil
            }
        guard let entry else {
            if 1...4 ~= kind { throw .outOfRange }
            return nil
        }
        self = entry
    }

    /// u32 length of the record ‖ record ‖ boxes.
    private static func generation(_ packed: Slice) throws(CodecError) -> MemberEntry? {
        guard packed.count >= 4 else { return nil }
        let end = 4 + Int(packed.bigEndian(at: 0) as UInt32)
        guard end <= packed.count else { return nil }
        let record = try GenerationRecord(decoding: packed[4..<end])
        guard end < packed.count else { return .generation(record, nil) }
        guard let boxes = KeyBoxes(packed: packed[end..<packed.count].compacted()) else {
            return nil
        }
        return .generation(record, boxes)
    }
}

extension MemberEntry {
    /// The conversation that a record names.
    var conversation: ConversationID? {
        switch self {
        case .generation(let record, _): record.statement.conversation
        case .vouch(let vouch): vouch.conversation
        case .birth, .admission, .card: nil
        }
    }

    var isBirth: Bool { if case .birth = self { true } else { false } }

    package var isCard: Bool { if case .card = self { true } else { false } }
}
