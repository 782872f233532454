extension NodeMachine {
    /// The peer asks for what changed, and says in which run it numbers its own changes.
    mutating func feedRequested(_ request: FeedRequest, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: request.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        guard !links[index].shares[share].outgoing.isRequested else {
            throw .unexpected(FrameType.feed.rawValue)
        }
        let latest = conversations[slot].feed.latest
        let resume = conversations[slot].runs.resume(from: request.since, latest: latest)
        links[index].shares[share].incoming.began(
            run: request.ownRun,
            latest: request.ownPosition
        )
        links[index].shares[share].outgoing.requested(after: resume, latest: latest)
        let isOtherRun = request.since.run != conversations[slot].runs.present?.id
        if resume == latest, latest > 0, isOtherRun {
            let marker = HaveEntry.marker(position: latest)
            links[index].shares[share].outgoing.tell(marker, at: turn.now)
        }
        audienceGrew(links[index].shares[share], on: index)
    }

    /// The peer has our feed on disk up to there.
    mutating func storedReceived(_ stored: Stored, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: stored.conversation, on: index) else {
            return
        }
        links[index].shares[share].outgoing.isPeerFull = stored.isFull
        guard stored.position <= links[index].shares[share].outgoing.claimed else {
            throw .overLimit("a feed position that was never sent")
        }
        guard links[index].shares[share].outgoing.confirmed(stored.position) else { return }
        audienceGrew(links[index].shares[share], on: index)
    }

    private mutating func audienceGrew(_ share: Share, on index: Int) {
        turn.effects.deliveries += audience.stored(
            share.conversation,
            upTo: share.outgoing.stored,
            by: links[index].device
        )
    }

    /// Sends every member what changed and it may take: once per turn, for all links.
    ///
    /// A peer that does not answer gets nothing more until it does, so that it will get the latest
    /// only.
    mutating func pump() {
        let members = links.memberCount
        askForBlobs()
        for index in links.indices where links[index].isLive {
            for share in links[index].shares.indices {
                askWants(share, on: index)
                pump(share, on: index)
                tellDue(share, on: index, force: false)
            }
            pumpBlobs(on: index)
            renewCredit(on: index, members: members)
        }
    }

    // MARK: The feed of one conversation to one peer

    private mutating func pump(_ share: Int, on index: Int) {
        guard links[index].shares[share].outgoing.awaitedRow == nil,
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        pumpWanted(share, slot: slot, on: index)
        guard links[index].shares[share].outgoing.isRequested,
            links[index].shares[share].outgoing.awaitedRow == nil
        else { return }
        let latest = conversations[slot].feed.latest
        let claimed = links[index].shares[share].outgoing.claimed
        let gaps = conversations[slot].moves.gaps(after: claimed)
        var differsUntil: UInt64 = 0
        feed: while links[index].shares[share].outgoing.sent < latest {
            if links[index].shares[share].outgoing.sent >= differsUntil {
                switch passRun(besides: gaps, slot: slot, share, on: index) {
                case .passed: continue
                case .waits: break feed
                case .differs(let until): differsUntil = until
                }
            }
            guard
                let entry = conversations[slot].feed.next(
                    after: links[index].shares[share].outgoing.sent
                )
            else {
                // The last sessions of the feed were damaged and left out.
                links[index].shares[share].outgoing.passed(latest)
                break
            }
            let place = FeedPlace(entry.position, outside: gaps)
            guard pass(entry.session, at: place, slot: slot, share, on: index) else { break }
            links[index].shares[share].outgoing.passed(entry.position)
        }
        claimSent(besides: gaps, share, on: index)
    }

    /// Tells the peer how far everything was sent, if what was sent last did not say so.
    private mutating func claimSent(besides gaps: FeedGaps, _ share: Int, on index: Int) {
        let sent = links[index].shares[share].outgoing.sent
        guard links[index].shares[share].outgoing.claimed < sent, !gaps.contains(sent) else {
            return
        }
        links[index].shares[share].outgoing.tell(.marker(position: sent), at: turn.now)
    }

    // MARK: Credit

    /// Lets the peer send on as far as the commit queue has room, which all links share equally.
    ///
    /// While a share of it would not hold the longest envelopes, the next commit is waited for.
    private mutating func renewCredit(on index: Int, members: Int) {
        guard !commits.isBlocked else { return }
        let room = max(0, configuration.limits.commitQueueBytes - commits.pendingBytes)
        let fair = min(room / members, Self.creditWindow)
        guard fair >= Self.creditWindowMin || commits.pendingBytes == 0 else { return }
        let window = UInt64(max(fair, Self.creditWindowMin))
        guard let credit = links[index].grant.renew(envelopeWindow: window) else { return }
        links[index].outbox.append(.credit(credit))
    }

    /// Envelope bytes that may be on their way to us on one link.
    static var creditWindow: Int { 1 << 20 }
    /// The least that is let in, so that the longest envelope fits into half of it.
    static var creditWindowMin: Int { 2 * (Limits.envelopeBytes + EnvelopeFrame.prefixBytes) }
}
