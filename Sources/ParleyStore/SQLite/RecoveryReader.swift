import GRDB
import ParleyCore

/// Reads everything except the sessions.
struct RecoveryReader {
    private let database: Database
    private let path: String
    private var recovery = Recovery()
    private var conversations: [UInt32: RecoveredConversation] = [:]
    private var highestNumber: UInt32 = 0
    private var mayReuseSequences = false
    private var damage = DamageReports()

    init(database: Database, path: String) {
        self.database = database
        self.path = path
    }

    /// Reads everything; `location` is the present location of the data directory, nil for a
    /// database that is in none, and `logWasCut` says whether commits may be missing.
    mutating func recover(
        location: DirectoryLocation?,
        logWasCut: Bool = false
    ) throws -> RecoveredStore {
        if logWasCut { damage.add(.logCut) }
        try readConversations()
        try readOrigins()
        try readSeats()
        try readMembers()
        try readIncarnations()
        try readSequences()
        try readCursors()
        recovery.conversations = conversations.sorted { $0.key < $1.key }.map(\.value)
        try readNextNumber()
        try readDevice()
        if !logWasCut { try readEpoch(location?.bytes) }
        try readBlobs()
        try readAddresses()
        try readDeviceNames()
        return RecoveredStore(recovery: recovery, damage: damage)
    }

    private mutating func readConversations() throws {
        let columns = """
            number, id, name, open, public_write_key, relay_key, read_key, writer_seed,
            certificate, sum
            """
        try statement("SELECT \(columns) FROM conversation ORDER BY number").forEach { row in
            note(row.integer(0))
            guard let record = Self.conversation(row), row.integer(9) == Table.sum(of: record)
            else {
                mayReuseSequences = true
                return damaged("conversation", row)
            }
            conversations[record.number] = RecoveredConversation(record: record)
        }
    }

    private static func conversation(_ row: borrowing BoundStatement) -> ConversationRecord? {
        guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
            let id = row.value(1, as: ConversationID.self), let name = row.text(2),
            let isOpen = row.integer(3), let publicWriteKey = row.value(4, as: Bytes32.self),
            let relayKey = row.value(5, as: Bytes32.self)
        else { return nil }
        let capability = Capability(
            publicWriteKey: publicWriteKey,
            relayKey: relayKey,
            readKey: row.value(6, as: Bytes32.self),
            writerSeed: row.value(7, as: Bytes32.self)
        )
        return ConversationRecord(
            number: number,
            id: id,
            name: name,
            isOpen: isOpen == 1,
            capability: capability,
            certificate: row.signature(8)
        )
    }

    private mutating func readOrigins() throws {
        let columns = "conversation, id, device_key, epoch, certificate, sum, host, generation"
        try statement("SELECT \(columns) FROM origin").forEach { row in
            guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
                let id = row.value(1, as: OriginID.self),
                let deviceKey = row.value(2, as: Bytes32.self), let epoch = row.unsigned(3),
                let certificate = row.signature(4)
            else { return damaged("origin", row) }
            let record = OriginRecord(
                deviceKey: deviceKey,
                epoch: Epoch(epoch),
                certificate: certificate,
                host: row.slice(6).flatMap(OriginHost.init),
                generation: row.slice(7).flatMap { $0.count == 8 ? $0.bigEndian(at: 0) : nil }
            )
            guard row.integer(5) == Table.sum(of: record, id: id, conversation: number)
            else { return damaged("origin", row) }
            change(number, table: "origin") { $0.origins[id] = record }
        }
    }

    private mutating func readSeats() throws {
        let columns = "conversation, number, seed, name, secret_hash, sum"
        try statement("SELECT \(columns) FROM seat").forEach { row in
            guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
                let seat = row.integer(1).flatMap({ SeatNumber($0) }),
                let seed = row.value(2, as: Bytes32.self), let name = row.text(3),
                let secretHash = row.value(4, as: Bytes32.self)
            else { return damaged("seat", row) }
            let guest = GuestSeat(number: seat, seed: seed, name: name, secretHash: secretHash)
            guard row.integer(5) == Table.sum(of: guest, conversation: number) else {
                return damaged("seat", row)
            }
            change(number, table: "seat") { $0.seats.append(guest) }
        }
    }

    private mutating func readMembers() throws {
        var isDamaged = false
        try statement("SELECT conversation, kind, key, record, sum FROM member").forEach { row in
            guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
                let kind = row.integer(1), let key = row.slice(2), let record = row.slice(3),
                let name = MemberRecord(kind: kind, key: key),
                row.integer(4) == Table.sum(of: name, record: record, conversation: number)
            else {
                isDamaged = true
                return damaged("member", row)
            }
            change(number, table: "member") { $0.members[name] = record }
        }
        // The damaged row may have been that of counters.
        mayReuseSequences =
            mayReuseSequences
            || isDamaged
                && conversations.values.contains {
                    $0.members[.receiptCounter] == nil || $0.members[.cardNumber] == nil
                }
    }

    private mutating func readIncarnations() throws {
        let query = "SELECT conversation, id, start, sum FROM run ORDER BY ordinal"
        try statement(query).forEach { row in
            guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
                let id = row.unsigned(1), let start = row.unsigned(2)
            else { return damaged("run", row) }
            let incarnation = FeedIncarnation(id: id, start: start)
            guard row.integer(3) == Table.sum(of: incarnation, conversation: number) else {
                return damaged("run", row)
            }
            change(number, table: "run") { $0.incarnations.append(incarnation) }
        }
    }

    private mutating func readSequences() throws {
        try statement("SELECT conversation, reserved_end, sum FROM sequence").forEach { row in
            guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
                let end = row.unsigned(1),
                row.integer(2) == Table.sum(reservedEnd: end, conversation: number)
            else {
                mayReuseSequences = true
                return damaged("sequence", row)
            }
            change(number, table: "sequence") { $0.sequencesReservedEnd = end }
        }
    }

    private mutating func readCursors() throws {
        let query = "SELECT conversation, peer, run, position, sum FROM cursor"
        try statement(query).forEach { row in
            guard let number = row.integer(0).flatMap({ UInt32(exactly: $0) }),
                let peer = row.value(1, as: DeviceID.self), let incarnation = row.unsigned(2),
                let position = row.unsigned(3)
            else { return damaged("cursor", row) }
            let cursor = FeedCursor(incarnation: incarnation, position: position)
            guard row.integer(4) == Table.sum(of: cursor, peer: peer, conversation: number)
            else { return damaged("cursor", row) }
            change(number, table: "cursor") { $0.cursors[peer] = cursor }
        }
    }

    private mutating func readNextNumber() throws {
        switch try MetaTable(database: database, path: path).entry(.nextConversation) {
        case .absent:
            break
        case .damaged:
            damage.add(.damaged(table: "meta", key: MetaTable.Key.nextConversation.rawValue))
        case .present(let bytes):
            guard bytes.count == 4 else { break }
            recovery.nextConversationNumber = max(1, Slice(bytes).bigEndian(at: 0))
        }
        let next = highestNumber == .max ? highestNumber : highestNumber + 1
        recovery.nextConversationNumber = max(recovery.nextConversationNumber, next)
    }

    private mutating func readDevice() throws {
        switch try MetaTable(database: database, path: path).entry(.device) {
        case .absent: break
        case .damaged: damage.add(.damaged(table: "meta", key: MetaTable.Key.device.rawValue))
        case .present(let bytes): recovery.device = Bytes32(bytes).map(DeviceID.init)
        }
    }

    private mutating func readEpoch(_ location: [UInt8]?) throws {
        switch try MetaTable(database: database, path: path).entry(.epoch) {
        case .absent:
            return
        case .damaged:
            damage.add(.damaged(table: "meta", key: MetaTable.Key.epoch.rawValue))
        case .present(let bytes):
            guard let location else { return }
            guard bytes.count == 8 + location.count, Array(bytes[8...]) == location else {
                damage.add(.moved)
                return
            }
            // A writer reserves in the transaction in which the conversation comes.
            let isLost = conversations.values.contains {
                $0.sequencesReservedEnd == 1 && $0.record.capability.role == .writer
            }
            guard !mayReuseSequences, !isLost else {
                damage.add(.sequencesUnknown)
                return
            }
            recovery.epoch = Epoch(Slice(bytes).bigEndian(at: 0))
        }
    }

    private mutating func readBlobs() throws {
        var counts: [BlobID: Int64] = [:]
        try statement("SELECT id, chunks, complete, sum FROM blob").forEach { row in
            guard let id = row.value(0, as: BlobID.self), let chunks = row.integer(1),
                let complete = row.integer(2),
                row.integer(3) == Table.sum(ofBlob: id, chunks: chunks, complete: complete)
            else { return damaged("blob", row) }
            recovery.blobs[id] = RecoveredBlob(isComplete: complete == 1, chunks: [])
            counts[id] = chunks
        }
        // An index has both columns, so no chunk is read.
        try statement("SELECT blob, number FROM blob_chunk").forEach { row in
            guard let id = row.value(0, as: BlobID.self), let number = row.integer(1) else {
                return damaged("blob_chunk", row)
            }
            recovery.blobs[id]?.chunks.insert(Int(number))
        }
        for (id, count) in counts.sorted(by: { $0.key < $1.key }) {
            guard let blob = recovery.blobs[id], blob.isComplete else { continue }
            let missing = Int(clamping: count) - blob.chunks.count
            if missing > 0 {
                let name = Hexadecimal.text(id.bytes)
                damage.add(.chunksMissing(blob: name, count: missing))
                recovery.blobs[id]?.isComplete = false
            } else {
                recovery.blobs[id]?.chunks = []
            }
        }
    }

    private mutating func readAddresses() throws {
        try statement("SELECT device, text, sum FROM address ORDER BY ordinal").forEach { row in
            guard let device = row.value(0, as: DeviceID.self), let text = row.text(1),
                row.integer(2) == Table.sum(ofAddress: text, device: device)
            else { return damaged("address", row) }
            recovery.addresses.append(RememberedAddress(device: device, text: text))
        }
    }

    private mutating func readDeviceNames() throws {
        try statement("SELECT id, name, sum FROM device").forEach { row in
            guard let device = row.value(0, as: DeviceID.self), let name = row.text(1),
                (1...Limits.deviceNameBytes).contains(name.utf8.count),
                row.integer(2) == Table.sum(ofName: name, device: device)
            else { return damaged("device", row) }
            recovery.deviceNames[device] = name
        }
    }

    // MARK: Helpers

    private mutating func note(_ number: Int64?) {
        guard let number = number.flatMap({ UInt32(exactly: $0) }) else { return }
        highestNumber = max(highestNumber, number)
    }

    private mutating func change(
        _ number: UInt32,
        table: String,
        _ body: (inout RecoveredConversation) -> Void
    ) {
        note(Int64(number))
        guard var conversation = conversations.removeValue(forKey: number) else {
            // Whoever joins the conversation again would count from 1.
            mayReuseSequences = true
            damage.add(.orphaned(table: table, conversation: number))
            return
        }
        body(&conversation)
        conversations[number] = conversation
    }

    private mutating func damaged(_ table: String, _ row: borrowing BoundStatement) {
        damage.add(.damaged(table: table, key: row.key))
    }

    private func statement(_ sql: String) throws -> BoundStatement {
        try BoundStatement(sql, in: database, path: path)
    }
}
