extension NodeMachine {
    // MARK: Telling

    /// Sends the entries in line if there are many, if they waited long, or if `force` is set.
    mutating func tellDue(_ share: Int, on index: Int, force: Bool) {
        var rest = links[index].shares[share].outgoing.takeTells(at: turn.now, force: force)[...]
        guard !rest.isEmpty else { return }
        while !rest.isEmpty {
            let list = HaveList(
                conversation: links[index].shares[share].ownNumber,
                entries: Array(rest.prefix(Limits.haveEntries))
            )
            links[index].outbox.append(.have(list))
            rest = rest.dropFirst(Limits.haveEntries)
        }
        links[index].liveness.expectsAnswer(at: turn.now)
    }

    /// The peer pushed what was here already: it should learn that it need not.
    mutating func pushedInVain(_ head: Head, tag: SessionTag, _ share: Int, on index: Int) {
        guard let slot = conversationIndex(links[index].shares[share].conversation),
            let origin = conversations[slot].origins[head.dot.origin],
            origin.device != links[index].device
        else { return }
        links[index].shares[share].outgoing.servedElsewhere.insert(head.dot.origin)
        let entry = HaveEntry(head, tag: tag, position: 0)
        links[index].shares[share].outgoing.tell(entry, at: turn.now)
    }

    // MARK: Being told

    mutating func haveReceived(_ list: HaveList, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: list.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        for entry in list.entries {
            try expectPosition(entry.position)
            if entry.isGone {
                gone(entry.name, slot: slot, share, on: index)
            } else if entry.isEnvelope {
                try told(entry, slot: slot, share, on: index)
            }
            links[index].shares[share].incoming.received(position: entry.position)
        }
    }

    private mutating func told(
        _ entry: HaveEntry,
        slot: Int,
        _ share: Int,
        on index: Int
    ) throws(Refusal) {
        switch conversations[slot].standing(of: entry) {
        case .head(let session, let head):
            conversations[slot].sessions[session].heads[head]
                .know(links[index].id, among: links)
            servedElsewhere(entry.dot.origin, slot: slot, share, on: index)
        case .covered:
            break
        case .missing:
            try want(entry, slot: slot, share, on: index)
        }
    }

    private mutating func want(
        _ entry: HaveEntry,
        slot: Int,
        _ share: Int,
        on index: Int
    ) throws(Refusal) {
        guard conversations[slot].wants.count < WantTable.countMax,
            links[index].shares[share].incoming.misses(entry.name)
        else { throw .overLimit("more told than can be asked for") }
        let isReplay = links[index].shares[share].incoming.isReplay(entry.position, at: turn.now)
        switch source(of: entry.dot.origin, slot: slot, besides: index, isReplay: isReplay) {
        case .teller:
            guard
                conversations[slot].wants.told(entry, by: links[index].id, at: turn.now)
            else { return }
            links[index].shares[share].incoming.wants.append(entry)
        case .author(let author):
            conversations[slot].wants.expected(
                entry,
                from: author,
                told: links[index].id,
                at: turn.now
            )
        }
    }

    /// The peer was asked for what it has no more.
    private mutating func gone(_ name: EnvelopeName, slot: Int, _ share: Int, on index: Int) {
        conversations[slot].wants.gone(name, from: links[index].id, at: turn.now)
        links[index].shares[share].incoming.settled(name)
    }

    /// Who tells of what is here has it from somebody else.
    private mutating func servedElsewhere(
        _ origin: OriginID,
        slot: Int,
        _ share: Int,
        on index: Int
    ) {
        guard !conversations[slot].isOwn(origin, device: device) else { return }
        links[index].shares[share].outgoing.servedElsewhere.insert(origin)
    }

    /// Where to get what a peer told of.
    private enum WantSource {
        case teller
        /// It comes unasked, on this link or on one that is being made.
        case author(LinkID?)
    }

    /// Whether the author of `origin` will push an envelope without being asked.
    ///
    /// What was there before the link, or came while it was silent, is pushed also by an author to
    /// whom a link is being made.
    private func source(
        of origin: OriginID,
        slot: Int,
        besides index: Int,
        isReplay: Bool
    ) -> WantSource {
        guard let author = conversations[slot].origins[origin]?.device,
            author != links[index].device
        else { return .teller }
        let number = conversations[slot].number
        let link = links.first { link in
            guard link.device == author, !link.liveness.isSuspect else { return false }
            switch link.phase {
            case .greeting, .proving: return isReplay
            case .member: return link.share(ofConversation: number) != nil
            case .closing: return false
            }
        }
        if let link { return .author(link.id) }
        return isReplay && book.isDialling(author) ? .author(nil) : .teller
    }

    // MARK: Asking

    /// Sends the wants in line.
    mutating func askWants(_ share: Int, on index: Int) {
        guard !links[index].shares[share].incoming.wants.isEmpty else { return }
        var rest = links[index].shares[share].incoming.wants[...]
        while !rest.isEmpty {
            let list = WantList(
                conversation: links[index].shares[share].ownNumber,
                entries: Array(rest.prefix(Limits.haveEntries))
            )
            links[index].outbox.append(.want(list))
            rest = rest.dropFirst(Limits.haveEntries)
        }
        links[index].shares[share].incoming.wants = []
        links[index].liveness.expectsAnswer(at: turn.now)
    }

    /// Asks the next holder of what did not come in time.
    mutating func askNextHolders(_ slot: Int) {
        guard let deadline = conversations[slot].wants.deadline, deadline <= turn.now else {
            return
        }
        let number = conversations[slot].number
        var news: [LinkID: Moment] = [:]
        for link in links { news[link.id] = link.broughtNews }
        for (entry, holder) in conversations[slot].wants.overdue(at: turn.now, news: news) {
            guard let index = linkIndex(holder),
                let share = links[index].share(ofConversation: number)
            else { continue }
            links[index].shares[share].incoming.wants.append(entry)
        }
    }

    /// The peer wants what it was told of: the heads that are there now.
    mutating func wantReceived(_ list: WantList, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: list.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        for entry in list.entries {
            links[index].shares[share].outgoing.servedElsewhere.remove(entry.dot.origin)
            guard links[index].shares[share].outgoing.wanted.count < OutgoingFeed.wantedMax else {
                throw .overLimit("more wanted than was told")
            }
            if let session = conversations[slot].sessionNumbers[entry.tag] {
                links[index].shares[share].outgoing.wanted.append((session, entry.name))
            }
        }
    }

    /// Whether the latest change of a session is not on disk.
    private func isMoving(_ session: Int32, slot: Int) -> Bool {
        guard let position = conversations[slot].feed.position(of: session) else { return false }
        return conversations[slot].moves.isUnderWay(to: position)
    }

    /// Sends what is wanted, as far as credit, room and memory go.
    ///
    /// What was replaced since is of no use to anybody; what replaced it is in the feed. That is
    /// said once the replacement is on disk: after a crash the old one might be here again, and a
    /// peer that heard of its end would not be told of it.
    mutating func pumpWanted(_ share: Int, slot: Int, on index: Int) {
        guard !links[index].shares[share].outgoing.wanted.isEmpty else { return }
        var done = 0
        for (session, name) in links[index].shares[share].outgoing.wanted {
            let place = Int(session)
            let row = conversations[slot].sessions[place].row
            let head = conversations[slot].sessions[place].record(of: name.dot)
            let heads = conversations[slot].sessions[place].register.heads
            let isWanted = heads.contains { $0.name == name }
            if let head, !head.isLost, isWanted || !head.knownTo.contains(links[index].id) {
                guard canSend(head, row: row, share, on: index) else { break }
                push(head, position: 0, slot: slot, share, on: index)
            }
            let isReplaced = !isWanted && !isMoving(session, slot: slot)
            if isReplaced || isWanted && head?.isLost ?? true {
                let tag = conversations[slot].sessions[place].tag
                let entry = HaveEntry.gone(name, tag: tag)
                links[index].shares[share].outgoing.tell(entry, at: turn.now)
            }
            done += 1
        }
        guard done < links[index].shares[share].outgoing.wanted.count else {
            // An idle link keeps no room.
            links[index].shares[share].outgoing.wanted = []
            return
        }
        links[index].shares[share].outgoing.wanted.removeFirst(done)
    }
}

extension ConversationState {
    /// What an entry that a peer told of is here.
    enum Standing {
        /// A head: the numbers of the session and of the head in it.
        case head(session: Int, head: Int)
        case covered
        case missing
    }

    func standing(of entry: HaveEntry) -> Standing {
        guard let number = sessionNumbers[entry.tag] else { return .missing }
        let session = sessions[Int(number)]
        for head in session.register.heads {
            if head.dot == entry.dot, head.digest.words.0 == entry.digestPrefix {
                guard let index = session.index(of: head.dot) else { return .missing }
                return .head(session: Int(number), head: index)
            }
            if entry.revision < head.revision, head.saw(entry.dot) { return .covered }
        }
        return .missing
    }
}
