/// Divides the memory for announced envelopes among the links.
extension LinkTable {
    /// A peer announces envelopes and feed positions.
    ///
    /// Envelopes for which the link has no memory are forgotten: the feed of the peer counts as
    /// complete up to the first of them, and they are learned again when the feed starts over.
    package mutating func haveReceived(
        _ list: HaveList,
        from replication: ReplicationIndex,
        of conversation: Int,
        in conversations: inout ConversationTable,
        limits: Limits,
        at now: Moment
    ) throws(Refusal) {
        let count = makeCapacity(
            for: list.entries.count,
            on: replication.link,
            in: &conversations,
            limits: limits,
            at: now
        )
        try haveReceived(
            list,
            from: replication,
            in: &conversations[conversation],
            newMax: count,
            at: now
        )
    }

    /// Makes memory for envelopes that the peer of a link announces; other links may have to forget
    /// some that they announced.
    ///
    /// - Returns: for how many of them there is memory.
    package mutating func makeCapacity(
        for count: Int,
        on index: Int,
        in conversations: inout ConversationTable,
        limits: Limits,
        at now: Moment
    ) -> Int {
        // Each round shortens another link.
        for _ in indices {
            let shares = announcedShares(of: conversations, limits: limits)
            let free = shares.free
            guard free < count, let yield = shares.yield(to: index) else {
                return Swift.min(free, count)
            }
            let bytes = Swift.min(yield.bytes, (count - free) * AnnouncedShares.entryBytes)
            forgetNewest(bytes, of: yield.link, in: &conversations, at: now)
        }
        return Swift.min(announcedShares(of: conversations, limits: limits).free, count)
    }

    /// The memory that the announced envelopes of each link take.
    package func announcedShares(
        of conversations: ConversationTable,
        limits: Limits
    ) -> AnnouncedShares {
        let shares = map { link in
            var bytes = 0
            for replication in link.replications {
                bytes += announcedBytes(replication, of: conversations)
            }
            return AnnouncedShares.Share(bytes: bytes, hasDelivered: link.broughtNews != nil)
        }
        return AnnouncedShares(shares, limits: limits)
    }

    private func announcedBytes(
        _ replication: Replication,
        of conversations: ConversationTable
    ) -> Int {
        guard replication.isMissingAny,
            let index = conversations.index(of: replication.conversation)
        else { return 0 }
        let wanted = conversations[index].announcedBytes(of: replication.link)
        return replication.announcedBytes + wanted
    }

    /// Forgets the envelopes that the peer of a link announced last, in the conversation in which
    /// they take the most memory.
    private mutating func forgetNewest(
        _ bytes: Int,
        of index: Int,
        in conversations: inout ConversationTable,
        at now: Moment
    ) {
        let sizes = self[index].replications.map { announcedBytes($0, of: conversations) }
        guard let place = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { return }
        let largest = ReplicationIndex(link: index, replication: place)
        let link = self[index].id
        guard let conversation = conversations.index(of: self[largest].conversation) else {
            return
        }
        haveForgotten = true
        var freed = 0
        while freed < bytes, let last = self[largest].forgetNewest() {
            freed += IncomingFeed.missingBytes
            freed += conversations[conversation].forget(last, of: link, at: now)
        }
    }

    /// Ends links that left envelopes out of conversations which have capacity again, and links on
    /// which announced envelopes were forgotten and all others have arrived, if there is memory for
    /// them now: on the next link, the peer announces them again.
    package mutating func startOver(
        _ conversations: inout ConversationTable,
        limits: Limits,
        into step: inout Step
    ) {
        let resumed = conversations.takeResumptions()
        if !resumed.isEmpty { closeHeld(into: &step) { resumed.contains($0) } }
        guard haveForgotten else { return }
        haveForgotten = false
        for index in indices where self[index].phase != .closing {
            for replication in self[index].replications where replication.hasForgotten {
                haveForgotten = true
                guard replication.shouldStartOver else { continue }
                let shares = announcedShares(of: conversations, limits: limits)
                guard shares.free > 0 || shares.yield(to: index) != nil else { continue }
                close(index, saying: .other, text: "more can be told again", into: &step)
            }
        }
    }
}
