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
        /// Followed by a space and the number of a conversation: when something of it was stored
        /// last, in seconds since 1970, 8 bytes.
        case activity
    }

    enum Entry: Equatable {
        case absent
        case damaged
        case present([UInt8])
    }

    let database: Database
    let path: String

    func entry(_ key: Key) throws -> Entry { try entry(named: key.rawValue) }

    private func entry(named key: String) throws -> Entry {
        let query = try BoundStatement(
            "SELECT value, sum FROM meta WHERE key = ?",
            in: database,
            path: path
        )
        defer { query.reset() }
        try query.bind(key, at: 1)
        guard try query.step() else { return .absent }
        guard let value = query.bytes(0),
            query.integer(1) == Table.sum(metaKey: key, value: value)
        else { return .damaged }
        return .present(value)
    }

    func set(_ key: Key, to value: [UInt8]) throws { try set(named: key.rawValue, to: value) }

    private func set(named key: String, to value: [UInt8]) throws {
        let insert = try BoundStatement(
            "INSERT OR REPLACE INTO meta VALUES (?, ?, ?)",
            in: database,
            path: path
        )
        try insert.bind(key, at: 1)
        try insert.bind(value, at: 2)
        try insert.bind(Table.sum(metaKey: key, value: value), at: 3)
        try insert.run()
    }

    // MARK: Activity

    func setActivity(of number: UInt32, to seconds: Int64) throws {
        var value: [UInt8] = []
        value.appendBigEndian(UInt64(bitPattern: seconds))
        try set(named: Self.name(ofActivityOf: number), to: value)
    }

    /// When something of a conversation was stored last; nil if that is not known.
    func activity(of number: UInt32) throws -> Int64? {
        guard case .present(let value) = try entry(named: Self.name(ofActivityOf: number)),
            value.count == 8
        else { return nil }
        return Int64(bitPattern: Slice(value).bigEndian(at: 0))
    }

    func forgetActivity(of number: UInt32) throws {
        let sql = "DELETE FROM meta WHERE key = ?"
        let delete = try BoundStatement(sql, in: database, path: path)
        try delete.bind(Self.name(ofActivityOf: number), at: 1)
        try delete.run()
    }

    private static func name(ofActivityOf number: UInt32) -> String {
        "\(Key.activity.rawValue) \(number)"
    }

    /// Records `number` as assigned, so that no later conversation gets it.
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
