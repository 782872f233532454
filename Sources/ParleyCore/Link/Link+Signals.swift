extension Link {
    /// Sends a signal if its origin's envelopes are pushed on this link, and nothing waits there.
    ///
    /// The author sends on all links: two prunes may cross, and only the next envelope repairs the
    /// tree.
    ///
    /// A signal that has crossed too many links goes no further.
    mutating func pass(_ frame: SignalFrame, of conversation: Conversation) {
        guard isLive, frame.hops <= Limits.hops, let index = replication(of: conversation.number),
            replications[index].hasBegun, outbox.pending < outbox.capacity,
            frame.hops == 0 || !replications[index].outgoing.pruned.contains(frame.origin),
            let record = conversation.origins[frame.origin]?.record
        else { return }
        let number = replications[index].ownNumber
        if replications[index].outgoing.sentOrigins.insert(frame.origin).inserted {
            outbox.append(.origin(OriginFrame(conversation: number, record: record)))
        }
        var frame = frame
        frame.conversation = number
        outbox.append(.signal(frame))
    }
}
