package import ParleyCore

/// Something in a store that is not as it should be and was left out.
package enum StoreFinding: Equatable, Sendable {
    /// A row whose bytes are not those that were written; `key` says which.
    case damaged(table: String, key: String)
    /// A session row that its reader refused, with the reader's reason.
    case refused(row: Int64, reason: String)
    /// A row that belongs to a conversation which is not here.
    case orphaned(table: String, conversation: UInt32)
    /// The data directory or its database lies elsewhere than when its epoch was made: a copy, a
    /// restored backup or a move. The next epoch is a new one.
    case moved
    /// Which sequences are used is not known any more. The next epoch is a new one.
    case sequencesUnknown
    /// A head was to be kept whose bytes are not in the row.
    case bytesMissing(row: Int64, dot: Dot)
}

extension StoreFinding: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let table, let key): "damaged row left out: \(table) \(key)"
        case .refused(let row, let reason): "session row \(row) left out: \(reason)"
        case .orphaned(let table, let conversation):
            "row left out: \(table) of conversation \(conversation), which is not here"
        case .moved: "the data directory is not where it was: a new epoch begins"
        case .sequencesUnknown:
            "which sequences are used is not known any more: a new epoch begins"
        case .bytesMissing(let row, let dot):
            "head \(dot) of session row \(row) left out: its bytes are not there"
        }
    }
}

/// The first findings of one call, and how many there were.
package struct StoreFindings: Equatable, Sendable {
    package static let none = StoreFindings()

    /// At most `StoreLimits.findings`.
    package private(set) var first: [StoreFinding] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func add(_ finding: StoreFinding) {
        count += 1
        if first.count < StoreLimits.findings { first.append(finding) }
    }

    package mutating func add(contentsOf others: StoreFindings) {
        first += others.first.prefix(StoreLimits.findings - first.count)
        count += others.count
    }
}
