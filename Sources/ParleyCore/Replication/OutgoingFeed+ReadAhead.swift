/// Reads back several sessions at once for a peer that catches up, which saves accesses to the
/// disk.
extension OutgoingFeed {
    /// How many further sessions are read back along with the awaited one.
    package static let readAhead = 256
    /// No further session is read back once the envelopes have so many bytes.
    package static let readAheadBytes = 1 << 20

    /// Reads ahead in the peer's wants, of which number `done` is awaited.
    func readAhead(
        wantedAfter done: Int,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard let awaited = awaitedRow else { return }
        var bytes = 0
        for (session, _) in wanted[(done + 1)...].prefix(Self.readAhead)
        where bytes < Self.readAheadBytes {
            bytes += conversation.sessions.readBack(session, besides: awaited, into: &sender)
        }
    }

    /// Reads ahead in the feed, of which the next session is awaited.
    func readAheadFeed(of conversation: Conversation, into sender: inout Sender) {
        guard let awaited = awaitedRow else { return }
        var (left, bytes) = (Self.readAhead, 0)
        conversation.feed.forEach(after: sent) { _, session in
            bytes += conversation.sessions.readBack(session, besides: awaited, into: &sender)
            left -= 1
            return left >= 0 && bytes < Self.readAheadBytes
        }
    }
}

extension SessionTable {
    /// Asks for a session's row if envelopes are not in memory and the row is not `awaited`
    /// already.
    ///
    /// - Returns: the bytes of the envelopes to read.
    fileprivate func readBack(
        _ session: Int32,
        besides awaited: Int64,
        into sender: inout Sender
    ) -> Int {
        let index = Int(session)
        guard self[index].row != awaited else { return 0 }
        var bytes = 0
        for head in self[index].heads.indices
        where self[index].heads[head].place == nil && !self[index].heads[head].isLost {
            bytes += self[index].heads[head].size
        }
        if bytes > 0 { sender.awaits(row: self[index].row) }
        return bytes
    }
}
