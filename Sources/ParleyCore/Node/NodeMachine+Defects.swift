/// What deliberate mistakes do that does not fit into the line where they are made.
extension NodeMachine {
    var defects: Defects { configuration.defects }

    /// Tells it once what is being gathered is on disk, or with the defect at once.
    mutating func afterCommit(_ delivery: Delivery, unless defect: Defect) {
        if defects.contains(defect) {
            turn.effects.deliveries.append(delivery)
        } else {
            commits.afterNext(delivery)
        }
    }

    // MARK: The register

    /// The head as a node sees it that settles ties in a way of its own.
    func misordered(_ head: Head) -> Head {
        if defects.contains(.wallClockWinner) {
            return head.settling(tiesBy: Bytes32(UInt64(turn.now.nanoseconds), 0, 0, 0))
        }
        return defects.contains(.contentSettlesTies) ? head.settling(tiesBy: .zero) : head
    }

    /// Whether something kept apart from the heads speaks against taking it.
    func isForgotten(_ head: Head, of tag: SessionTag, slot: Int) -> Bool {
        if conversations[slot].knows(head, tag: tag) { return false }
        if defectMemory.dropped.contains(head.dot) { return true }
        return defectMemory.hasSeen(head.dot, of: tag)
    }

    /// Keeps apart from the heads what must not be kept there.
    mutating func remember(_ head: Head, _ outcome: MergeOutcome, of tag: SessionTag) {
        if defects.contains(.storesContext) {
            defectMemory.contexts[tag, default: []] += head.seen + [head.dot]
        }
        guard defects.contains(.capLeavesTrace), let dropped = outcome.dropped else { return }
        defectMemory.dropped.insert(dropped.dot)
    }

    /// Takes a known head for a change.
    mutating func countAgain(_ head: Head, _ session: Int32, slot: Int) {
        conversations[slot].feed.record(session)
        markDirty(slot: slot, session: session)
        let state = conversations[slot].sessions[Int(session)]
        guard state.register.shown == head else { return }
        let number = conversations[slot].number
        commits.afterNext(
            .shown(ShownMessage(conversation: number, tag: state.tag, dot: head.dot))
        )
    }

    // MARK: Writing

    /// What a writer says that has forgotten what the authors of the heads had seen.
    func headsOnly(
        _ replacement: Replacement,
        of register: SessionRegister,
        by origin: OriginID
    ) -> Replacement {
        let dots = register.heads.map(\.dot)
        let seen = replacement.seen.filter { dots.contains($0) }
        return Replacement(revision: replacement.revision, seen: seen)
    }

    func authorsAsReader(_ slot: Int) -> Bool {
        defects.contains(.authorsAsReader) && conversations[slot].ownSequences.available > 0
    }

    /// Goes back to the beginning of the sequences that were reserved last.
    mutating func rewindSequences() {
        for slot in conversations.indices {
            let end = conversations[slot].ownSequences.next
            let start = end > OwnSequences.block ? end - OwnSequences.block : 1
            conversations[slot].ownSequences = OwnSequences(end: start)
        }
    }

    /// The row without what a conflict would need.
    func shownOnly(_ row: SessionRow, slot: Int) -> SessionRow {
        let shown = conversations[slot].session(row.tag)?.register.shown?.dot
        return SessionRow(
            row: row.row,
            conversation: row.conversation,
            tag: row.tag,
            position: row.position,
            heads: row.heads.filter { $0.dot == shown },
            lines: row.lines
        )
    }

    // MARK: Passing on

    /// Whether an envelope has come too far to be told of.
    func isKeptBack(_ head: HeadRecord) -> Bool {
        Int(head.hops) >= Limits.hops && defects.contains(.limitsHopsOfCatchUp)
    }

    /// The bytes to store and to pass on: those that came.
    func passedOn(_ envelope: Envelope, from source: LinkID?) -> Slice {
        guard defects.contains(.encodesAnew), source != nil else { return envelope.bytes }
        return Slice(
            Envelope.encode(
                headerBytes: Slice(envelope.header.encoded()),
                body: envelope.body,
                proof: envelope.proof
            )
        )
    }

    /// Whether the proof holds in some conversation of this node.
    func isProvenElsewhere(_ envelope: Envelope) -> Bool {
        conversations.contains { conversation in
            let digest = envelope.digest(in: conversation.record.id, using: crypto)
            let origin = conversation.origins[envelope.header.dot.origin]
            guard let key = origin?.record.deviceKey else { return false }
            return envelope.proof.holds(for: digest, by: key, using: crypto)
        }
    }
}

extension Head {
    fileprivate func settling(tiesBy tieBreak: Bytes32) -> Head {
        Head(dot: dot, revision: revision, seen: seen, tieBreak: tieBreak, digest: digest)
    }
}
