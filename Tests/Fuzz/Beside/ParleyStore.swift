package import ParleyCore

/// The columns of a session's row, which only the store reads.
package enum SessionColumns {
    /// The heads of a column; nil if it is malformed.
    package static func heads(of column: Slice) -> Few<StoredHead>? {
        HeadsLayout.heads(of: column)
    }

    package static func column(of heads: Few<StoredHead>) -> [UInt8] {
        var column: [UInt8] = []
        HeadsLayout.append(heads, to: &column)
        return column
    }
}
