import ParleyCore

extension SessionRow {
    /// Whether the row has the bytes of all its heads; else it keeps some of the row that it
    /// replaces.
    var hasAllBytes: Bool { heads.allSatisfy { $0.envelope != nil } }

    /// The row with the bytes of the heads that it keeps from `earlier`, those of the row that it
    /// replaces.
    ///
    /// A head that is not there is left out and reported.
    func filled(
        from earlier: Few<StoredHead>,
        reporting damage: inout DamageReports
    ) -> SessionRow {
        var filled = Few<StoredHead>()
        for head in heads {
            if head.envelope != nil {
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
            lines: lines
        )
    }
}
