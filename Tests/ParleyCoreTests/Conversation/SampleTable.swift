import ParleyCore
import ParleyFaults

/// A table of conversations without a node, with the commits and the step that a node would hand
/// it.
struct SampleTable {
    var table: ConversationTable
    var tickets = Commits()
    var step = Step()
    let crypto = SampleConversation.node

    /// The conversations of these numbers; each knows those of the writers that write in it.
    init(
        _ numbers: [UInt32] = [],
        open: Set<UInt32> = [],
        writers: [SimulatedAuthor] = [],
        limits: Limits = Limits()
    ) {
        table = ConversationTable(device: SampleConversation.device, limits: limits)
        for number in numbers {
            let record = Self.record(number, isOpen: open.contains(number))
            var recovered = RecoveredConversation(record: record)
            for writer in writers where writer.table.id == record.id {
                recovered.origins[writer.origin] = writer.record
            }
            table.add(recovered, epoch: SampleConversation.epoch, using: crypto)
        }
    }

    static func record(_ number: UInt32, isOpen: Bool = false) -> ConversationRecord {
        SimulatedConversation(UInt64(number), isOpen: isOpen)
            .record(number: number, role: .writer, device: SampleConversation.device)
    }

    var numbers: [UInt32] { table.all.map(\.number) }

    /// For each conversation and session, whether its envelopes are in memory.
    var isInMemory: [[Bool]] {
        table.map { conversation in
            conversation.sessions.map { $0.heads.allSatisfy { $0.envelope != nil } }
        }
    }

    mutating func join(_ number: UInt32) -> Int? {
        table.join(
            Self.record(number),
            epoch: SampleConversation.epoch,
            tickets: tickets,
            using: crypto,
            into: &step
        )
    }

    mutating func leave(_ number: UInt32) -> [BlobReference]? {
        table.leave(number, tickets: tickets, into: &step)
    }

    /// Merges an envelope that came on the link 1 into the conversation of a number.
    mutating func merge(_ envelope: Envelope, into number: UInt32 = 1) {
        guard let index = table.index(of: number) else { return }
        let head = envelope.head(in: table[index].record.id, using: crypto)
        _ = table.merge(
            Arrival(envelope: envelope, head: head, hops: 1, source: LinkID(1)),
            into: index,
            tickets: tickets,
            openLinks: [LinkID(1)],
            using: crypto
        )
    }

    /// Ends a step.
    ///
    /// - Returns: its writes.
    @discardableResult
    mutating func endStep() -> [StoreWrite] {
        table.writeSessions(with: tickets, into: &step)
        let writes = step.writes
        _ = tickets.issue(writes, bytes: 0)
        step = Step()
        return writes
    }

    /// Everything is on disk.
    mutating func commit() {
        let done = tickets.done(tickets.issued)
        table.committed(tickets.committed, done)
    }

    /// Merges an envelope in a step of its own, and commits it.
    mutating func keep(_ envelope: Envelope, in number: UInt32 = 1) {
        merge(envelope, into: number)
        endStep()
        commit()
        // Memory is freed at the end of a step, when the commit is done.
        endStep()
    }
}

extension SimulatedAuthor {
    /// A writer of the conversation of a number, known by its seed.
    init(writer: UInt64, in number: UInt32) {
        self.init(
            crypto: SimulatedCryptography(seed: writer),
            table: SimulatedConversation(UInt64(number))
        )
    }
}

extension [StoreWrite] {
    /// The writes of conversations and sessions, in words.
    var summary: [String] {
        map { write in
            switch write {
            case .conversation(let record): "joined \(record.number)"
            case .conversationLeft(let number): "left \(number)"
            case .session(let row): "row \(row.row) of \(row.conversation)"
            case .device, .epoch, .sequencesReserved, .incarnationStarted, .incarnationsForgotten,
                .origin, .seat, .member, .cursor, .blobChunk, .blobCompleted, .blobDropped,
                .blobChunksDropped, .address, .deviceName:
                "another"
            }
        }
    }
}
