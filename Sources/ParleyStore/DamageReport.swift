package import ParleyCore

/// A report of damage in a store: something that was left out, and why.
package enum DamageReport: Equatable, Sendable {
    /// The checksum of a row does not match its values; `key` identifies the row.
    case damaged(table: String, key: String)
    /// A complete blob lacks chunks; `blob` is its name in hexadecimal digits.
    case chunksMissing(blob: String, count: Int)
    /// The caller of `recoverSessions` refused a session row, for this reason.
    case refused(row: Int64, reason: String)
    /// A row belongs to a conversation that does not exist.
    case orphaned(table: String, conversation: UInt32)
    /// The directory or its database was copied, restored from a backup, or moved after the epoch
    /// began.
    ///
    /// The node has to begin a new epoch.
    case moved
    /// The record of the reserved sequences is damaged. The node has to begin a new epoch.
    case sequencesUnknown
    /// The database's log ends before its last commit, or may do so. The node has to begin a new
    /// epoch.
    case logCut
    /// A write keeps a head whose bytes are not in the row.
    case bytesMissing(row: Int64, dot: Dot)
}

extension DamageReport {
    /// The number of a session row whose checksum does not match.
    package var sessionRow: Int64? {
        guard case .damaged("session", let key) = self else { return nil }
        return Int64(key)
    }
}

extension DamageReport: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let table, let key): "damaged row left out: \(table) \(key)"
        case .chunksMissing(let blob, let count):
            "\(count) chunks of the picture \(blob.prefix(16)) are missing: asking members for them"
        case .refused(let row, let reason): "session row \(row) left out: \(reason)"
        case .orphaned(let table, let conversation):
            "row left out: \(table) of conversation \(conversation), which does not exist"
        case .moved: "the data directory was copied, restored or moved: a new epoch begins"
        case .sequencesUnknown:
            "the record of used sequences is damaged: a new epoch begins"
        case .logCut:
            "the database's log is damaged: what was stored last before the node ended may be "
                + "missing here, and members send what they have of it; a new epoch begins"
        case .bytesMissing(let row, let dot):
            "head \(dot) of session row \(row) left out: its bytes are missing"
        }
    }
}

/// The first damage reports of one call, and how many there were.
package struct DamageReports: Equatable, Sendable {
    package static let none = DamageReports()

    /// The first reports, at most `StoreLimits.damageReports`.
    package private(set) var first: [DamageReport] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func add(_ report: DamageReport) {
        count += 1
        if first.count < StoreLimits.damageReports { first.append(report) }
    }

    package mutating func add(contentsOf others: DamageReports) {
        first += others.first.prefix(StoreLimits.damageReports - first.count)
        count += others.count
    }
}
