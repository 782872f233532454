import ParleyCore
import TestSupport

/// Random writes like those of a node, derived from a seed.
///
/// A head without bytes is only written where the row has its bytes, numbers of conversations are
/// not reused, and now and then a write comes too late for a conversation that was left.
struct RandomWrites {
    private var random: SeededRandom
    private var nextConversation: UInt32 = 1
    private var conversations: [UInt32] = []
    private var left: [UInt32] = []
    private var rows: [Int64: SessionRow] = [:]
    private var sequence: UInt64 = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// The writes of one ticket.
    mutating func ticket() -> [StoreWrite] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in write() }
    }

    private mutating func write() -> StoreWrite {
        let number = conversation()
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return .epoch(Epoch(random.next()))
        case 1: return join()
        case 2: return leave(number)
        case 3, 4:
            let end = UInt64.random(in: 1...500, using: &random)
            return .sequencesReserved(conversation: number, end: end)
        case 5, 6:
            let id = UInt64.random(in: 1...9, using: &random)
            let incarnation = FeedIncarnation(id: id, start: small())
            return .incarnationStarted(conversation: number, incarnation)
        case 7, 8:
            let id = OriginID(Values.narrow(small()))
            return .origin(conversation: number, id, Values.origin(small()))
        case 9...13:
            let cursor = FeedCursor(incarnation: random.next(), position: small())
            return .cursor(conversation: number, peer: Values.device(small()), cursor)
        case 14...17:
            let bytes = Values.bytes(Int(small()) * 20, small())
            return .blobChunk(blob(), index: Int(small() % 4), chunks: 4, bytes)
        case 18: return .blobCompleted(blob())
        case 19: return .blobDropped(blob())
        case 20: return .address(device: Values.device(small()), text: "h:\(small())")
        case 21: return .deviceName(device: Values.device(small()), name: "n \(small())")
        case 22: return .incarnationsForgotten(conversation: number)
        case 23: return .device(Values.device(small()))
        case 24: return .blobChunksDropped(blob(), [Int(small() % 4)])
        case 25, 26: return seat(number)
        case 27, 28: return member(number)
        default: return session(number)
        }
    }

    /// A guest takes a seat or gets another name, or the seat becomes empty.
    private mutating func seat(_ number: UInt32) -> StoreWrite {
        guard let guest = Values.guest(small(), at: small()) else { return .epoch(Epoch(0)) }
        let isEmptied = small() < 2
        return .seat(conversation: number, guest.number, isEmptied ? nil : guest)
    }

    /// Something is known about the members, or forgotten.
    private mutating func member(_ number: UInt32) -> StoreWrite {
        let name = Values.memberRecord(small())
        let record = small() < 2 ? nil : Values.bytes(Int(small()) * 9, small())
        return .member(conversation: number, name, record)
    }

    private mutating func small() -> UInt64 { UInt64.random(in: 0..<8, using: &random) }

    private mutating func blob() -> BlobID { Values.blob(UInt64.random(in: 0..<3, using: &random)) }

    private mutating func conversation() -> UInt32 {
        let isLate = UInt64.random(in: 0..<20, using: &random) == 0
        if isLate, let late = left.randomElement(using: &random) { return late }
        return conversations.randomElement(using: &random) ?? nextConversation
    }

    private mutating func join() -> StoreWrite {
        // Sometimes it changes an existing conversation.
        if let present = conversations.randomElement(using: &random), small() < 2 {
            let name = "renamed \(small())"
            return .conversation(Values.conversation(present, name: name, role: .reader))
        }
        let number = nextConversation
        nextConversation += 1
        conversations.append(number)
        // A writer would have sequences from the same transaction on.
        return .conversation(Values.conversation(number, role: .reader))
    }

    private mutating func leave(_ number: UInt32) -> StoreWrite {
        guard conversations.contains(number) else { return .epoch(Epoch(small())) }
        conversations.removeAll { $0 == number }
        left.append(number)
        rows = rows.filter { $0.value.conversation != number }
        return .conversationLeft(number)
    }

    private mutating func session(_ number: UInt32) -> StoreWrite {
        let row = Int64.random(in: 1...12, using: &random)
        let isHere = conversations.contains(number)
        let present = rows[row]
        if let present, present.conversation != number { return .epoch(Epoch(small())) }
        var heads: [StoredHead] = []
        for head in present?.heads ?? [] where small() < 4 {
            heads.append(StoredHead(dot: head.dot, envelope: small() < 5 ? nil : head.envelope))
        }
        sequence += 1
        heads.append(Values.head(UInt64(number), sequence, bytes: Int(small()) * 30))
        let written = Values.session(
            row,
            of: number,
            position: sequence,
            heads: heads,
            lines: Values.bytes(Int(small()), small())
        )
        if isHere { rows[row] = written }
        return .session(written)
    }
}
