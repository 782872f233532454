import ParleyCore

/// The stored sessions by their rows, in pages.
///
/// The rows of a store are numbered from 1, so nearly all elements of a page are used, and a
/// session is found with one small table and one access to memory.
struct SessionRows {
    /// For each page the rows from `page * rowsPerPage`.
    private var pages: [Int64: [SessionRow?]] = [:]

    /// A power of two.
    private static let rowsPerPage: Int64 = 64

    subscript(row: Int64) -> SessionRow? {
        get { pages[Self.page(of: row)]?[Self.index(of: row)] }
        set {
            let empty = repeatElement(SessionRow?.none, count: Int(Self.rowsPerPage))
            pages[Self.page(of: row), default: Array(empty)][Self.index(of: row)] = newValue
        }
    }

    /// All sessions, in the order of their rows.
    var ascending: [SessionRow] {
        pages.sorted { $0.key < $1.key }.flatMap { $0.value.compactMap(\.self) }
    }

    /// Forgets the sessions of a conversation.
    mutating func removeAll(of conversation: UInt32) {
        for row in ascending where row.conversation == conversation { self[row.row] = nil }
        pages = pages.filter { $0.value.contains { $0 != nil } }
    }

    private static func page(of row: Int64) -> Int64 { row >> rowsPerPage.trailingZeroBitCount }
    private static func index(of row: Int64) -> Int { Int(row & (rowsPerPage - 1)) }
}
