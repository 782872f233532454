import ParleyCore

extension Mutant {
    /// Nodes that do not wait for their disk.
    static let ofCommits = [
        Mutant(
            "acknowledgesBeforeCommit",
            seed: 0,
            "Answers an author before the commit: acknowledged means on disk."
        ) { node in
            node.early = EarlyEffects()
            node.early?.isDelivered = { if case .answer(_, .stored) = $0 { true } else { false } }
        },
        Mutant(
            "sendsBeforeCommit",
            seed: 0,
            "Sends what it wrote before the commit: what was lost in a crash is nowhere."
        ) { node in
            node.early = EarlyEffects()
            node.early?.isSent = { $0.isOf(.envelope, .origin) }
        },
        Mutant(
            "showsBeforeCommit",
            seed: 0,
            "Shows a message before the commit: what a node has shown is on its disk."
        ) { node in
            node.early = EarlyEffects()
            node.early?.isDelivered = { if case .shown = $0 { true } else { false } }
        },
        Mutant(
            "positionBeforeCommit",
            seed: 0,
            "Says stored before the commit: a position is confirmed once all up to it is on disk."
        ) { node in
            node.early = EarlyEffects()
            node.early?.isSent = { $0.isOf(.stored) }
        },
    ]

    /// Nodes whose disk loses some writes.
    static let ofDisks = [
        Mutant(
            "storesFirstHeadOnly",
            seed: 0,
            "Writes one head of a session: the others of a conflict are kept until replaced."
        ) { node in
            node.write = { write in
                guard case .session(let row) = write else { return write }
                return .session(row.keeping(heads: 1))
            }
        },
        Mutant(
            "storesNoSession",
            seed: 0,
            "Drops the rows of sessions: acknowledged means on disk, from the first message on."
        ) { node in
            node.write = { if case .session = $0 { nil } else { $0 } }
        },
        Mutant(
            "losesOrigins",
            seed: 7,
            "Does not keep origins: envelopes of an origin are passed on after a restart."
        ) { node in
            node.write = { if case .origin = $0 { nil } else { $0 } }
        },
        Mutant(
            "forgetsTombstones",
            seed: 20,
            "Does not read tombstones back: a session that was ended stays ended."
        ) { node in
            node.row = { $0.hasTombstone ? nil : $0 }
        },
        Mutant(
            "reusesSequences",
            seed: 0,
            "Forgets which sequences were reserved: no two envelopes share a dot."
        ) { node in
            node.write = { if case .sequencesReserved = $0 { nil } else { $0 } }
        },
    ]
}

extension SessionRow {
    /// The row with only the first `count` heads.
    fileprivate func keeping(heads count: Int) -> SessionRow {
        SessionRow(
            row: row,
            conversation: conversation,
            tag: tag,
            position: position,
            heads: Array(heads.prefix(count)),
            lines: lines,
            match: match
        )
    }

    /// Whether a head ends the session.
    fileprivate var hasTombstone: Bool {
        heads.contains { head in
            // A head that cannot be read ends nothing.
            let envelope = head.envelope.flatMap { try? Envelope(decoding: $0) }
            return envelope?.header.isTombstone ?? false
        }
    }
}
