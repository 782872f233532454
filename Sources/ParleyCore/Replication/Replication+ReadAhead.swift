/// Reads back several sessions when the feed waits for the envelopes of one, so that a peer that
/// catches up costs one access to the disk for many envelopes instead of one for each.
extension Replication {
    /// The sessions after the awaited one whose envelopes are read back along with it.
    package static let readAhead = 64

    /// Reads ahead of the awaited envelope, which the peer wants as number `done` of its wants.
    func readAhead(
        wantedAfter done: Int,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard let awaited = outgoing.awaitedRow else { return }
        for (session, _) in outgoing.wanted[(done + 1)...].prefix(Self.readAhead) {
            conversation.readBack(session, besides: awaited, into: &sender)
        }
    }

    /// Reads ahead of the awaited envelope, which is the next one of the feed.
    func readAheadFeed(of conversation: Conversation, into sender: inout Sender) {
        guard let awaited = outgoing.awaitedRow else { return }
        var left = Self.readAhead
        conversation.feed.forEach(after: outgoing.sent) { _, session in
            conversation.readBack(session, besides: awaited, into: &sender)
            left -= 1
            return left >= 0
        }
    }
}

extension Conversation {
    /// Asks for the row of a session if not all of its envelopes are in memory, unless it is the
    /// row that was asked for already.
    fileprivate func readBack(
        _ session: Int32,
        besides awaited: Int64,
        into sender: inout Sender
    ) {
        let index = Int(session)
        guard sessions[index].row != awaited else { return }
        for head in sessions[index].heads.indices
        where sessions[index].heads[head].envelope == nil && !sessions[index].heads[head].isLost {
            return sender.awaits(row: sessions[index].row)
        }
    }
}
