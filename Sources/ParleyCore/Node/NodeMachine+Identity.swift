extension NodeMachine {
    /// There are two envelopes under one dot; if it is ours, this data directory has a copy.
    mutating func equivocated(_ dot: Dot, tag: SessionTag, slot: Int) {
        turn.effects.deliveries.append(
            .equivocation(conversation: conversations[slot].number, tag: tag, dot)
        )
        if dot.origin == conversations[slot].keys.ownOrigin { copyFound() }
    }

    /// A peer shows an envelope of this origin that was never made here: a copy of this data
    /// directory is about.
    mutating func checkOwnDot(_ dot: Dot, slot: Int) {
        guard dot.origin == conversations[slot].keys.ownOrigin,
            dot.sequence >= conversations[slot].ownSequences.next
        else { return }
        copyFound()
    }

    /// A copy of this data directory is about.
    mutating func copyFound() {
        renewEpoch()
    }

    /// The data directory is a copy, or lies elsewhere: peers may have gone on with a feed that is
    /// not this one, so each starts over.
    ///
    /// What they had up to a position there may have moved on before they had it, and be here at
    /// the position where it was.
    mutating func forgetRuns() {
        for slot in conversations.indices where conversations[slot].runs.present != nil {
            conversations[slot].runs = FeedRuns()
            turn.writes.append(.runsForgotten(conversation: conversations[slot].number))
        }
    }

    /// Everything from now on is of a new origin, so that no dot is ever used twice.
    mutating func renewEpoch() {
        epoch = Epoch(random.next())
        turn.writes.append(.epoch(epoch))
        for slot in conversations.indices {
            conversations[slot].keys = ConversationKeys(
                record: conversations[slot].record,
                device: device,
                epoch: epoch,
                using: crypto
            )
            adoptOwnOrigin(slot: slot)
        }
    }
}
