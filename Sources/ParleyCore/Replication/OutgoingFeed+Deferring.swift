/// Defers the announcement of changes that the peer most likely has from another node.
extension OutgoingFeed {
    /// How soon a peer has to hear of a session's change.
    private enum Urgency {
        /// The peer has all heads.
        case none
        /// The peer most likely gets the other heads from other nodes.
        case later
        case now
    }

    /// Examines the changes since the last call.
    ///
    /// - Returns: the position up to which the feed is to be sent now.
    mutating func deferAnnouncements(of conversation: Conversation, at now: Moment) -> UInt64 {
        let latest = conversation.feed.latest
        guard !pruned.isEmpty else {
            deferred = DeferredAnnouncements(delay: deferred.delay)
            return latest
        }
        if deferred.isDue(at: now) { deferred.becameUrgent(at: latest) }
        let start = max(sent, deferred.examinedEnd, deferred.urgentEnd)
        conversation.feed.forEach(after: start) { position, session in
            switch urgency(of: session, in: conversation) {
            case .none: break
            case .later:
                deferred.postponed(at: position, until: now + deferred.delay.interval)
            case .now: deferred.becameUrgent(at: position)
            }
            return true
        }
        return deferred.looked(upTo: latest, sent: sent)
    }

    private func urgency(of session: Int32, in conversation: Conversation) -> Urgency {
        let index = Int(session)
        var urgency = Urgency.none
        for head in conversation.sessions[index].heads.indices {
            let origin = conversation.sessions[index].heads[head].dot.origin
            guard !conversation.isOwn(origin) else { return .now }
            guard !conversation.sessions[index].heads[head].isLost,
                !conversation.sessions[index].heads[head].knownTo.contains(link)
            else { continue }
            guard pruned.contains(origin),
                conversation.sessions[index].heads[head].position > replayEnd,
                !conversation.sessions[index].heads[head].isFetched
            else { return .now }
            urgency = .later
        }
        return urgency
    }
}
