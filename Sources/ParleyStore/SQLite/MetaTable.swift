import GRDB
import ParleyCore

/// The table of single values.
struct MetaTable {
    enum Key: String {
        /// The ID of the device whose key the directory has, 32 bytes.
        case device
        /// The epoch (8 bytes) and the location in which it was made.
        case epoch
        /// The lowest number that was never assigned to a conversation, 4 bytes.
        case nextConversation
    }

    enum Entry: Equatable {
        case absent
        case damaged
        case present([UInt8])
    }

    let database: Database
    let path: String

    func entry(_ key: Key) throws -> Entry {
        let query = try BoundStatement(
            "SELECT value, sum FROM meta WHERE key = ?",
            in: database,
            path: path
        )
        defer { query.reset() }
        try query.bind(key.rawValue, at: 1)
        guard try query.step() else { return .absent }
        guard let value = query.bytes(0),
            query.integer(1) == Table.sum(metaKey: key.rawValue, value: value)
        else { return .damaged }
        return .present(value)
    }

    func set(_ key: Key, to value: [UInt8]) throws {
        let insert = try BoundStatement(
            "INSERT OR REPLACE INTO meta VALUES (?, ?, ?)",
            in: database,
            path: path
        )
        try insert.bind(key.rawValue, at: 1)
        try insert.bind(value, at: 2)
        try insert.bind(Table.sum(metaKey: key.rawValue, value: value), at: 3)
        try insert.run()
    }

    /// Records that `number` was assigned, so that no later conversation gets it.
    func use(conversation number: UInt32) throws {
        let next = number == .max ? number : number + 1
        if case .present(let present) = try entry(.nextConversation), present.count == 4,
            Slice(present).bigEndian(at: 0) as UInt32 >= next
        {
            return
        }
        var value: [UInt8] = []
        value.appendBigEndian(next)
        try set(.nextConversation, to: value)
    }
}
