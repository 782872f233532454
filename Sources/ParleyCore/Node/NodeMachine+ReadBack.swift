extension NodeMachine {
    /// Envelopes that had left memory are here for a moment: the feeds that waited go on.
    mutating func loaded(row: Int64, heads: [StoredHead]) {
        rowsAwaited.remove(row)
        var envelopes: [Dot: Slice] = [:]
        for head in heads { envelopes[head.dot] = head.envelope }
        for index in links.indices {
            for share in links[index].shares.indices
            where links[index].shares[share].outgoing.awaitedRow == row {
                links[index].shares[share].outgoing.awaitedRow = nil
            }
        }
        for slot in conversations.indices {
            guard let session = conversations[slot].sessionNumber(ofRow: row) else { continue }
            restore(envelopes, session: session, slot: slot)
            return
        }
    }

    private mutating func restore(_ envelopes: [Dot: Slice], session: Int32, slot: Int) {
        let place = Int(session)
        for head in conversations[slot].sessions[place].heads.indices
        where conversations[slot].sessions[place].heads[head].envelope == nil {
            let dot = conversations[slot].sessions[place].heads[head].dot
            guard let bytes = envelopes[dot] else {
                conversations[slot].sessions[place].heads[head].isLost = true
                let row = conversations[slot].sessions[place].row
                turn.effects.deliveries.append(.damaged(row: row, "a head is not there any more"))
                continue
            }
            conversations[slot].sessions[place].heads[head].envelope = bytes.compacted()
            cache.kept(conversations[slot].sessions[place].heads[head].size)
        }
        guard !conversations[slot].sessions[place].isInCacheQueue else { return }
        conversations[slot].sessions[place].isInCacheQueue = true
        cache.queued(conversation: conversations[slot].number, session: session)
    }
}
