/// Defers the announcement of changes that the peer most likely has from another node.
extension Replication {
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
        guard !outgoing.pruned.isEmpty else {
            outgoing.deferred = DeferredAnnouncements()
            return latest
        }
        if outgoing.deferred.isDue(at: now) { outgoing.deferred.becameUrgent(at: latest) }
        let start = max(outgoing.sent, outgoing.deferred.examinedEnd, outgoing.deferred.urgentEnd)
        conversation.feed.forEach(after: start) { position, session in
            switch urgency(of: session, in: conversation) {
            case .none: break
            case .later:
                outgoing.deferred.postponed(at: position, until: now + announcementDelay.interval)
            case .now: outgoing.deferred.becameUrgent(at: position)
            }
            return true
        }
        return outgoing.deferred.looked(upTo: latest, sent: outgoing.sent)
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
            guard outgoing.pruned.contains(origin),
                conversation.sessions[index].heads[head].position > outgoing.replayEnd,
                !conversation.sessions[index].heads[head].isFetched
            else { return .now }
            urgency = .later
        }
        return urgency
    }

    /// Sets how soon deferred changes are announced, including those that wait already.
    package mutating func announces(after delay: AnnouncementDelay, at now: Moment) {
        guard delay != announcementDelay else { return }
        announcementDelay = delay
        outgoing.deferred.hasten(to: now + delay.interval)
    }
}
