import ParleyCore
import ParleyStore

/// A damaged part of a database.
package struct FoundDamage: Sendable {
    package enum Part: Sendable {
        /// The session in a row: its checksum is wrong, so the node takes it for missing.
        case session(row: Int64)
        /// The picture with this hash, in hexadecimal digits.
        case picture(String)
        /// A session with a right checksum but invalid messages: the disk did not change them.
        case proof(row: Int64)
        /// A row of another table.
        case record(table: String, key: String)
    }

    package let part: Part
    /// The conversation; nil if unknown or none.
    package let conversation: String?
    package let reason: String
}

/// The result of a pass over a database.
package struct VerifiedStore: Sendable {
    /// A conversation, with its sound parts.
    package struct Conversation: Sendable {
        package let number: UInt32
        package let name: String
        package var sessions = 0
        package var messages = 0
        /// The pictures that are here, whole.
        package var pictures = 0
        /// The pictures that messages list and that have not arrived.
        package var missingPictures = 0
        package var damaged = 0
        /// The pictures that messages list.
        fileprivate var listed: Set<BlobID> = []
    }

    /// SQLite's finding of a damaged structure, which ends the pass; nil if sound.
    package let structure: String?
    package private(set) var conversations: [Conversation] = []
    /// The first damaged parts, at most as many as a start reports.
    package private(set) var damage: [FoundDamage] = []
    /// How many parts are damaged.
    package private(set) var damageCount = 0
    private var indices: [UInt32: Int] = [:]
    private var complete: Set<BlobID> = []
    /// Whether only some of the conversations are checked.
    private var isPart = false

    init(structure: String) {
        self.structure = structure
    }

    init(_ recovered: RecoveredStore, only: String?) {
        structure = nil
        for conversation in recovered.recovery.conversations {
            let record = conversation.record
            guard only.map(record.isCalled) ?? true else { continue }
            indices[record.number] = conversations.count
            conversations.append(Conversation(number: record.number, name: record.name))
        }
        complete = Set(recovered.recovery.blobs.filter(\.value.isComplete).map(\.key))
        isPart = only != nil
        guard !isPart else { return }
        for report in recovered.damage.first { add(report) }
        damageCount += recovered.damage.count - recovered.damage.first.count
    }

    package var isSound: Bool { structure == nil && damageCount == 0 }

    func index(of conversation: UInt32) -> Int? { indices[conversation] }

    /// Adds a session; `reason` says why its messages are invalid, nil if they are valid.
    mutating func add(_ row: SessionRow, toConversationAt index: Int, _ reason: String?) {
        if let reason { return add(.proof(row: row.row), reason, toConversationAt: index) }
        conversations[index].sessions += 1
        conversations[index].messages += row.heads.count
        for head in row.heads {
            guard let envelope = head.envelope.flatMap({ try? Envelope(decoding: $0) }) else {
                continue
            }
            conversations[index].listed.formUnion(envelope.header.blobs.map(\.id))
        }
    }

    /// Adds the sessions that could not be read; `conversation` gives the conversation of a row.
    mutating func add(
        _ reports: DamageReports,
        conversation: (Int64) throws(StoreError) -> UInt32?
    ) throws(StoreError) {
        for report in reports.first {
            guard let row = report.sessionRow else {
                if !isPart { add(report) }
                continue
            }
            let index = try conversation(row).flatMap { indices[$0] }
            guard index != nil || !isPart else { continue }
            add(.session(row: row), "its checksum is wrong", toConversationAt: index)
        }
        if !isPart { damageCount += reports.count - reports.first.count }
    }

    /// Adds a row that does not belong to a session.
    private mutating func add(_ report: DamageReport) {
        switch report {
        case .damaged(let table, let key):
            add(.record(table: table, key: key), "its checksum is wrong", toConversationAt: nil)
        case .orphaned(let table, let number):
            let key = "of conversation \(number)"
            add(.record(table: table, key: key), "there is none", toConversationAt: nil)
        case .logCut:
            let reason = "it is damaged: what was stored last may be missing"
            add(.record(table: "log", key: ""), reason, toConversationAt: nil)
        // Listed pictures are checked by themselves; the other reports are about a starting or
        // writing process.
        case .chunksMissing, .refused, .moved, .sequencesUnknown, .bytesMissing: break
        }
    }

    mutating func add(
        _ part: FoundDamage.Part,
        _ reason: String,
        toConversationAt index: Int?
    ) {
        damageCount += 1
        if let index {
            conversations[index].damaged += 1
            if case .picture = part { conversations[index].pictures -= 1 }
        }
        guard damage.count < StoreLimits.damageReports else { return }
        let name = index.map { conversations[$0].name }
        damage.append(FoundDamage(part: part, conversation: name, reason: reason))
    }

    /// The complete pictures to check, each with the index of a conversation that lists it.
    ///
    /// Pictures that no message lists are included if all conversations are checked.
    mutating func takePictures() -> [(BlobID, conversation: Int?)] {
        var pictures: [(BlobID, conversation: Int?)] = []
        var taken: Set<BlobID> = []
        for index in conversations.indices {
            let listed = conversations[index].listed
            conversations[index].listed = []
            let here = listed.intersection(complete)
            conversations[index].pictures = here.count
            conversations[index].missingPictures = listed.count - here.count
            pictures += here.subtracting(taken).sorted().map { ($0, index) }
            taken.formUnion(here)
        }
        if !isPart { pictures += complete.subtracting(taken).sorted().map { ($0, nil) } }
        return pictures
    }
}
