extension Conversation {
    /// Removes the heads of a session that do not count any more; the next one is shown.
    ///
    /// - Returns: the blobs that the heads listed; nil if all heads count.
    mutating func removeHeadsOut(
        of session: Int32,
        until ticket: Ticket,
        cache: inout EnvelopeCache,
        using crypto: some Cryptography
    ) -> [BlobReference]? {
        let index = Int(session)
        let out = sessions[index].register.heads.filter {
            !origins.counts($0, in: generations, using: crypto)
        }
        guard !out.isEmpty else { return nil }
        let linesBefore = keysInTranscript(of: session)
        let shownBefore = sessions[index].register.shown
        sessions[index].register.remove { out.contains($0) }
        let unlisted = out.flatMap { removeHead($0, session, cache: &cache) }
        let shown = sessions[index].register.shown
        if shown != shownBefore {
            let bytes = shown.flatMap { sessions[index].record(of: $0.dot)?.place?.bytes }
            let envelope = bytes.flatMap { try? Envelope(decoding: $0) }
            if keys.canRead, let envelope, let shown {
                show(envelope.items, shown, index, using: crypto)
                _ = roles.takeDue()
            } else {
                show(nil, index)
            }
        }
        reorder(session, from: linesBefore)
        number(session, feed.latest + 1, until: ticket)
        return unlisted
    }
}
