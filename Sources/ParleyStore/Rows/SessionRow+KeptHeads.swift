import ParleyCore

extension SessionRow {
    /// Whether the row has the bytes of all heads, and needs none from the stored row.
    var hasAllBytes: Bool { heads.allSatisfy { $0.place != nil } }

    /// The row, completed with bytes of heads from `earlier`, the heads of the stored row.
    ///
    /// A head without bytes in both rows is left out and reported.
    func filled(
        from earlier: Few<StoredHead>,
        reporting damage: inout DamageReports
    ) -> SessionRow {
        var filled = Few<StoredHead>()
        for head in heads {
            if head.place != nil {
                filled.append(head)
            } else if let kept = earlier.first(where: { $0.dot == head.dot }) {
                filled.append(kept)
            } else {
                damage.add(.bytesMissing(row: row, dot: head.dot))
            }
        }
        return SessionRow(
            row: row,
            conversation: conversation,
            tag: tag,
            position: position,
            heads: filled,
            lines: lines,
            match: match
        )
    }
}
