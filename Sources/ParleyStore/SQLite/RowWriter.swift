import GRDB
import ParleyCore

/// Applies writes inside one transaction.
struct RowWriter {
    private let database: Database
    private let path: String
    private let location: DirectoryLocation
    private var sessions: SessionWriter?
    /// A cache: whether a conversation of the number exists.
    private var isKnown: [UInt32: Bool] = [:]
    private(set) var damage = DamageReports()
    /// The conversations whose sessions were written, and the conversations that were left.
    private(set) var changed: Set<UInt32> = []
    private(set) var left: Set<UInt32> = []

    /// Makes a writer; `location` is the present location of the data directory.
    init(database: Database, path: String, location: DirectoryLocation) {
        self.database = database
        self.path = path
        self.location = location
    }

    mutating func carryOut(_ write: StoreWrite) throws {
        switch write {
        case .session(let row): try replace(row)
        case .cursor(let number, let peer, let cursor):
            try keep(cursor, of: peer, in: number)
        case .device(let device):
            try MetaTable(database: database, path: path).set(.device, to: device.bytes)
        case .epoch(let epoch):
            var value: [UInt8] = []
            value.appendBigEndian(epoch.value)
            try MetaTable(database: database, path: path).set(.epoch, to: value + location.bytes)
        case .conversation(let record): try keep(record)
        case .conversationLeft(let number): try leave(number)
        case .sequencesReserved(let number, let end): try reserve(end, in: number)
        case .incarnationStarted(let number, let incarnation): try start(incarnation, in: number)
        case .incarnationsForgotten(let number): try forgetIncarnations(of: number)
        case .origin(let number, let id, let record): try keep(record, of: id, in: number)
        case .seat(let number, let seat, let guest): try keep(guest, at: seat, in: number)
        case .member(let number, let name, let record):
            try keep(record, as: name, in: number)
        case .blobChunk(let blob, let index, let chunks, let bytes):
            try BlobWriter(database: database, path: path)
                .keep(blob, index: index, chunks: chunks, bytes: bytes)
        case .blobCompleted(let blob):
            try BlobWriter(database: database, path: path).complete(blob)
        case .blobDropped(let blob):
            try BlobWriter(database: database, path: path).drop(blob)
        case .blobChunksDropped(let blob, let chunks):
            try BlobWriter(database: database, path: path).drop(chunks, of: blob)
        case .address(let device, let text): try remember(device, text)
        case .deviceName(let device, let name): try call(device, name)
        }
    }

    private mutating func replace(_ row: SessionRow) throws {
        guard try knows(row.conversation) else { return }
        var writer = try sessions ?? SessionWriter(database: database, path: path)
        // The writer leaves the property, so that its buffer is uniquely referenced and not copied.
        sessions = nil
        damage.add(contentsOf: try writer.replace(row))
        sessions = writer
        changed.insert(row.conversation)
    }

    private mutating func knows(_ number: UInt32) throws -> Bool {
        if let known = isKnown[number] { return known }
        let query = try statement("SELECT 1 FROM conversation WHERE number = ?")
        defer { query.reset() }
        try query.bind(Int64(number), at: 1)
        let known = try query.step()
        isKnown[number] = known
        return known
    }

    private mutating func keep(_ record: ConversationRecord) throws {
        let insert = try statement(
            "INSERT OR REPLACE INTO conversation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        try insert.bind(Int64(record.number), at: 1)
        try insert.bind(record.id.bytes, at: 2)
        try insert.bind(record.name, at: 3)
        try insert.bind(Int64(record.isOpen ? 1 : 0), at: 4)
        try insert.bind(record.capability.publicWriteKey.bytes, at: 5)
        try insert.bind(record.capability.relayKey.bytes, at: 6)
        try insert.bind(record.capability.readKey?.bytes, at: 7)
        try insert.bind(record.capability.writerSeed?.bytes, at: 8)
        try insert.bind(record.certificate?.bytes, at: 9)
        try insert.bind(Table.sum(of: record), at: 10)
        try insert.run()
        isKnown[record.number] = true
        try MetaTable(database: database, path: path).use(conversation: record.number)
    }

    private mutating func leave(_ number: UInt32) throws {
        for table in ["session", "origin", "run", "sequence", "cursor", "seat", "member"] {
            let delete = try statement("DELETE FROM \(table) WHERE conversation = ?")
            try delete.bind(Int64(number), at: 1)
            try delete.run()
        }
        let delete = try statement("DELETE FROM conversation WHERE number = ?")
        try delete.bind(Int64(number), at: 1)
        try delete.run()
        isKnown[number] = false
        changed.remove(number)
        left.insert(number)
        try MetaTable(database: database, path: path).forgetActivity(of: number)
        try MetaTable(database: database, path: path).use(conversation: number)
    }

    private mutating func reserve(_ end: UInt64, in number: UInt32) throws {
        guard try knows(number) else { return }
        let query = try statement("SELECT reserved_end FROM sequence WHERE conversation = ?")
        try query.bind(Int64(number), at: 1)
        let present = try query.step() ? query.unsigned(0) : nil
        query.reset()
        let end = max(end, present ?? 1)
        let insert = try statement("INSERT OR REPLACE INTO sequence VALUES (?, ?, ?)")
        try insert.bind(Int64(number), at: 1)
        try insert.bind(end, at: 2)
        try insert.bind(Table.sum(reservedEnd: end, conversation: number), at: 3)
        try insert.run()
    }

    private mutating func start(_ incarnation: FeedIncarnation, in number: UInt32) throws {
        guard try knows(number) else { return }
        let insert = try statement(
            "INSERT OR IGNORE INTO run (conversation, id, start, sum) VALUES (?, ?, ?, ?)"
        )
        try insert.bind(Int64(number), at: 1)
        try insert.bind(incarnation.id, at: 2)
        try insert.bind(incarnation.start, at: 3)
        try insert.bind(Table.sum(of: incarnation, conversation: number), at: 4)
        try insert.run()
        let trim = try statement(
            """
            DELETE FROM run WHERE conversation = ?1 AND ordinal NOT IN (
                SELECT ordinal FROM run WHERE conversation = ?1 ORDER BY ordinal DESC LIMIT ?2)
            """
        )
        try trim.bind(Int64(number), at: 1)
        try trim.bind(Int64(StoreLimits.incarnationsPerConversation), at: 2)
        try trim.run()
    }

    private mutating func forgetIncarnations(of number: UInt32) throws {
        let delete = try statement("DELETE FROM run WHERE conversation = ?")
        try delete.bind(Int64(number), at: 1)
        try delete.run()
    }

    private mutating func keep(
        _ record: OriginRecord,
        of id: OriginID,
        in number: UInt32
    ) throws {
        guard try knows(number) else { return }
        let insert = try statement("INSERT OR REPLACE INTO origin VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        try insert.bind(Int64(number), at: 1)
        try insert.bind(id.bytes, at: 2)
        try insert.bind(record.deviceKey.bytes, at: 3)
        try insert.bind(record.epoch.value, at: 4)
        try insert.bind(record.certificate.bytes, at: 5)
        try insert.bind(Table.sum(of: record, id: id, conversation: number), at: 6)
        try insert.bind(record.host?.packed, at: 7)
        try insert.bind(record.packedGeneration, at: 8)
        try insert.run()
    }

    private mutating func keep(
        _ guest: GuestSeat?,
        at seat: SeatNumber,
        in number: UInt32
    ) throws {
        guard try knows(number) else { return }
        guard let guest else {
            let delete = try statement("DELETE FROM seat WHERE conversation = ? AND number = ?")
            try delete.bind(Int64(number), at: 1)
            try delete.bind(Int64(seat.value), at: 2)
            return try delete.run()
        }
        let insert = try statement("INSERT OR REPLACE INTO seat VALUES (?, ?, ?, ?, ?, ?)")
        try insert.bind(Int64(number), at: 1)
        try insert.bind(Int64(seat.value), at: 2)
        try insert.bind(guest.seed.bytes, at: 3)
        try insert.bind(guest.name, at: 4)
        try insert.bind(guest.secretHash.bytes, at: 5)
        try insert.bind(Table.sum(of: guest, conversation: number), at: 6)
        try insert.run()
    }

    private mutating func keep(
        _ record: Slice?,
        as name: MemberRecord,
        in number: UInt32
    ) throws {
        guard try knows(number) else { return }
        let sql =
            record == nil
            ? "DELETE FROM member WHERE conversation = ? AND kind = ? AND key = ?"
            : "INSERT OR REPLACE INTO member VALUES (?, ?, ?, ?, ?)"
        let change = try statement(sql)
        try change.bind(Int64(number), at: 1)
        try change.bind(name.kind, at: 2)
        try change.bind(name.key, at: 3)
        if let record {
            try change.bind(record.bytes, at: 4)
            try change.bind(Table.sum(of: name, record: record, conversation: number), at: 5)
        }
        try change.run()
    }

    private mutating func keep(
        _ cursor: FeedCursor,
        of peer: DeviceID,
        in number: UInt32
    ) throws {
        guard try knows(number) else { return }
        let insert = try statement("INSERT OR REPLACE INTO cursor VALUES (?, ?, ?, ?, ?)")
        try insert.bind(Int64(number), at: 1)
        try insert.bind(peer.bytes, at: 2)
        try insert.bind(cursor.incarnation, at: 3)
        try insert.bind(cursor.position, at: 4)
        try insert.bind(Table.sum(of: cursor, peer: peer, conversation: number), at: 5)
        try insert.run()
    }

    private func remember(_ device: DeviceID, _ text: String) throws {
        let insert = try statement(
            "INSERT OR REPLACE INTO address (device, text, sum) VALUES (?, ?, ?)"
        )
        try insert.bind(device.bytes, at: 1)
        try insert.bind(text, at: 2)
        try insert.bind(Table.sum(ofAddress: text, device: device), at: 3)
        try insert.run()
        let trim = try statement(
            """
            DELETE FROM address WHERE ordinal NOT IN (
                SELECT ordinal FROM address ORDER BY ordinal DESC LIMIT ?)
            """
        )
        try trim.bind(Int64(StoreLimits.addresses), at: 1)
        try trim.run()
    }

    private func call(_ device: DeviceID, _ name: String) throws {
        let insert = try statement("INSERT OR REPLACE INTO device VALUES (?, ?, ?)")
        try insert.bind(device.bytes, at: 1)
        try insert.bind(name, at: 2)
        try insert.bind(Table.sum(ofName: name, device: device), at: 3)
        try insert.run()
    }

    private func statement(_ sql: String) throws -> BoundStatement {
        try BoundStatement(sql, in: database, path: path)
    }
}
