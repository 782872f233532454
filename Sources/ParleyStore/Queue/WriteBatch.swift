package import ParleyCore

/// The writes of many tickets, merged into fewer writes with the same effect.
///
/// A later write of a row replaces an earlier one. A deletion of rows (leaving a conversation,
/// dropping a blob) removes earlier writes of the rows, and no write is moved across the deletion.
package struct WriteBatch: Sendable {
    /// Reports of heads that were left out while merging.
    package private(set) var damage = DamageReports()

    private var slots: [StoreWrite?] = []
    private var emptySlots = 0
    /// The index in `slots` of the write of each row; a row that is not listed gets a new slot.
    private var rowIndices: [Key: Int] = [:]
    private var sessionIndices: [Int64: Int] = [:]
    private var blobIndices: [BlobID: [Int]] = [:]

    private enum Key: Hashable {
        case device
        case epoch
        case conversation(UInt32)
        case sequences(UInt32)
        case origin(UInt32, OriginID)
        case seat(UInt32, SeatNumber)
        case member(UInt32, MemberRecord)
        case cursor(UInt32, DeviceID)
        case chunk(BlobID, Int)
        case completed(BlobID)
        case address(DeviceID, String)
        case deviceName(DeviceID)
    }

    package init() {}

    package var isEmpty: Bool { slots.count == emptySlots }

    /// The merged writes, in the order in which they must be applied.
    package var writes: [StoreWrite] { slots.compactMap(\.self) }

    /// This batch followed by `writes`.
    func adding(_ writes: [[StoreWrite]]) -> WriteBatch {
        var batch = self
        for writes in writes {
            for write in writes { batch.add(write) }
        }
        return batch
    }

    /// This batch followed by a later batch, with the reports of both.
    func adding(_ later: WriteBatch) -> WriteBatch {
        guard !isEmpty || !damage.isEmpty else { return later }
        var batch = adding([later.writes])
        batch.damage.add(contentsOf: later.damage)
        return batch
    }

    package mutating func add(_ write: StoreWrite) {
        switch write {
        case .session(let row): add(row)
        case .cursor(let number, let peer, _): put(write, at: .cursor(number, peer))
        case .device: put(write, at: .device)
        case .epoch: put(write, at: .epoch)
        case .conversation(let record): add(record)
        case .conversationLeft(let number): leave(number)
        case .sequencesReserved(let number, let end): reserve(end, of: number)
        case .incarnationStarted, .incarnationsForgotten: slots.append(write)
        case .origin(let number, let id, _): put(write, at: .origin(number, id))
        case .seat(let number, let seat, _): put(write, at: .seat(number, seat))
        case .member(let number, let name, _): put(write, at: .member(number, name))
        case .blobChunk(let blob, let chunk, _, _):
            put(write, at: .chunk(blob, chunk), of: blob)
        case .blobCompleted(let blob):
            // The write has no effect before the first chunk, so it must stay behind the chunks.
            if let index = rowIndices.removeValue(forKey: .completed(blob)) { empty(index) }
            put(write, at: .completed(blob), of: blob)
        case .blobDropped(let blob): drop(blob)
        case .blobChunksDropped(let blob, _):
            // Later chunks must stay behind this write.
            forgetIndices(of: blob)
            slots.append(write)
        case .address(let device, let text):
            // The order of the addresses matters: the latest one must be the last.
            if let index = rowIndices.removeValue(forKey: .address(device, text)) { empty(index) }
            put(write, at: .address(device, text))
        case .deviceName(let device, _): put(write, at: .deviceName(device))
        }
        compactIfSparse()
    }

    private mutating func put(_ write: StoreWrite, at key: Key, of blob: BlobID? = nil) {
        if let index = rowIndices[key] {
            slots[index] = write
            return
        }
        rowIndices[key] = slots.count
        if let blob { blobIndices[blob, default: []].append(slots.count) }
        slots.append(write)
    }

    private mutating func add(_ row: SessionRow) {
        guard let index = sessionIndices[row.row], case .session(let earlier)? = slots[index],
            earlier.conversation == row.conversation
        else {
            sessionIndices[row.row] = slots.count
            slots.append(.session(row))
            return
        }
        slots[index] = .session(
            row.hasAllBytes ? row : row.filled(from: earlier.heads, reporting: &damage)
        )
    }

    /// Adds a conversation record.
    ///
    /// Writes to a conversation have an effect only after its record. So no write after a new
    /// record may be merged into a write before the record.
    private mutating func add(_ record: ConversationRecord) {
        if rowIndices[.conversation(record.number)] == nil { forgetIndices() }
        put(.conversation(record), at: .conversation(record.number))
    }

    private mutating func reserve(_ end: UInt64, of number: UInt32) {
        var end = end
        if let index = rowIndices[.sequences(number)],
            case .sequencesReserved(_, let earlier)? = slots[index]
        {
            end = max(end, earlier)
        }
        put(.sequencesReserved(conversation: number, end: end), at: .sequences(number))
    }

    private mutating func leave(_ number: UInt32) {
        for index in slots.indices where slots[index]?.conversation == number { empty(index) }
        forgetIndices()
        slots.append(.conversationLeft(number))
    }

    private mutating func drop(_ blob: BlobID) {
        for index in blobIndices.removeValue(forKey: blob) ?? [] {
            if case .blobChunk(_, let chunk, _, _)? = slots[index] {
                rowIndices[.chunk(blob, chunk)] = nil
            }
            empty(index)
        }
        rowIndices[.completed(blob)] = nil
        slots.append(.blobDropped(blob))
    }

    private mutating func forgetIndices(of blob: BlobID) {
        for index in blobIndices.removeValue(forKey: blob) ?? [] {
            if case .blobChunk(_, let chunk, _, _)? = slots[index] {
                rowIndices[.chunk(blob, chunk)] = nil
            }
        }
        rowIndices[.completed(blob)] = nil
    }

    private mutating func empty(_ index: Int) {
        guard slots[index] != nil else { return }
        slots[index] = nil
        emptySlots += 1
    }

    private mutating func forgetIndices() {
        rowIndices = [:]
        sessionIndices = [:]
        blobIndices = [:]
    }

    private mutating func compactIfSparse() {
        guard emptySlots > 1_024, emptySlots > slots.count / 2 else { return }
        slots.removeAll { $0 == nil }
        emptySlots = 0
        forgetIndices()
    }
}

extension StoreWrite {
    /// The conversation that the written row belongs to.
    fileprivate var conversation: UInt32? {
        switch self {
        case .conversation(let record): record.number
        case .session(let row): row.conversation
        case .conversationLeft(let number), .sequencesReserved(let number, _),
            .incarnationStarted(let number, _), .incarnationsForgotten(let number),
            .origin(let number, _, _), .seat(let number, _, _), .member(let number, _, _),
            .cursor(let number, _, _):
            number
        case .device, .epoch, .blobChunk, .blobCompleted, .blobDropped, .blobChunksDropped,
            .address, .deviceName:
            nil
        }
    }
}
