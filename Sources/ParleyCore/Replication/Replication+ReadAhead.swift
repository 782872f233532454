/// Reads back several sessions when the feed waits for the envelopes of one, so that a peer that
/// catches up costs one access to the disk for many envelopes instead of one for each.
extension Replication {
    /// The sessions after the awaited one whose envelopes are read back along with it.
    package static let readAhead = 256
    /// No more are read back along with an awaited one once their envelopes have so many bytes.
    package static let readAheadBytes = 1 << 20

    /// Reads ahead of the awaited envelope, which the peer wants as number `done` of its wants.
    func readAhead(
        wantedAfter done: Int,
        of conversation: Conversation,
        into sender: inout Sender
    ) {
        guard let awaited = outgoing.awaitedRow else { return }
        var bytes = 0
        for (session, _) in outgoing.wanted[(done + 1)...].prefix(Self.readAhead)
        where bytes < Self.readAheadBytes {
            bytes += conversation.readBack(session, besides: awaited, into: &sender)
        }
    }

    /// Reads ahead of the awaited envelope, which is the next one of the feed.
    func readAheadFeed(of conversation: Conversation, into sender: inout Sender) {
        guard let awaited = outgoing.awaitedRow else { return }
        var (left, bytes) = (Self.readAhead, 0)
        conversation.feed.forEach(after: outgoing.sent) { _, session in
            bytes += conversation.readBack(session, besides: awaited, into: &sender)
            left -= 1
            return left >= 0 && bytes < Self.readAheadBytes
        }
    }
}

extension Conversation {
    /// Asks for the row of a session if not all of its envelopes are in memory, unless it is the
    /// row that was asked for already.
    ///
    /// - Returns: the bytes of the envelopes to read.
    fileprivate func readBack(
        _ session: Int32,
        besides awaited: Int64,
        into sender: inout Sender
    ) -> Int {
        let index = Int(session)
        guard sessions[index].row != awaited else { return 0 }
        var bytes = 0
        for head in sessions[index].heads.indices
        where sessions[index].heads[head].envelope == nil && !sessions[index].heads[head].isLost {
            bytes += sessions[index].heads[head].size
        }
        if bytes > 0 { sender.awaits(row: sessions[index].row) }
        return bytes
    }
}
