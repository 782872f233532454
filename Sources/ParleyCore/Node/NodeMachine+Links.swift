/// How links begin and end.
extension NodeMachine {
    // MARK: Beginning

    /// TLS is up: say hello.
    mutating func linkOpened(_ opened: OpenedLink) {
        let peer = DeviceID(publicKey: opened.peerKey, using: crypto)
        dialer.linkOpened(opened.dial, to: peer, at: step.now)
        var link = Link(
            opened,
            device: peer,
            outboxCapacity: configuration.limits.outboxBytes,
            at: step.now
        )
        let hello = Hello(
            wireVersions: configuration.wireVersions,
            software: configuration.software,
            deviceName: configuration.deviceName,
            processNonce: identity.processNonce
        )
        link.outbox.append(.hello(hello))
        let index = links.insert(link)
        if links.isStopping { close(index, saying: .stopping) }
    }

    mutating func helloReceived(_ hello: Hello, on index: Int) throws(Refusal) {
        links[index].hello = hello
        guard hello.wireVersions.overlaps(configuration.wireVersions) else {
            throw .incompatible(hello.wireVersions)
        }
        if links[index].device == device {
            guard hello.processNonce != identity.processNonce else {
                if links[index].isInitiator { dialer.foundSelf(at: links[index].address) }
                close(index, saying: .selfLink)
                return
            }
            duplicateIdentityFound(index, nonce: hello.processNonce)
        }
        links[index].phase = .proving(deadline: step.now + LinkPhase.patience)
        tell(index, .greeted(software: hello.software, name: hello.deviceName))
        sendTags(on: index)
    }

    /// Proves membership of every conversation that this link was not told of yet.
    mutating func sendTags(on index: Int) {
        let tags = links[index].tagsToSend(for: conversations, using: crypto, random: &random)
        if let tags { links[index].outbox.append(.conversations(tags)) }
    }

    mutating func tagsReceived(_ tags: ConversationTags, on index: Int) throws(Refusal) {
        guard links[index].membership.received(tags.tags) else {
            throw .overLimit("tags of conversations")
        }
        match(on: index)
    }

    /// Looks for conversations of both sides that are not shared on this link yet.
    ///
    /// Open ones come last, for a peer that shares another one as well has a capacity of its own.
    mutating func match(on index: Int) {
        var isTurnedAway = false
        let open = Set(conversations.filter(\.record.isOpen).map(\.number))
        for isOpen in [false, true] {
            for conversation in conversations where conversation.record.isOpen == isOpen {
                guard let numbers = links[index].match(conversation, using: crypto) else {
                    continue
                }
                let hasCapacity = links.hasCapacity(
                    forMember: index,
                    sharing: isOpen,
                    countMax: configuration.limits.links,
                    openConversations: open
                )
                if hasCapacity {
                    share(conversation, on: index, numbers)
                } else {
                    isTurnedAway = true
                }
            }
        }
        guard isTurnedAway, !links[index].isMember else { return }
        close(index, saying: .busy, text: "as many links as there may be")
    }

    private mutating func share(
        _ conversation: Conversation,
        on index: Int,
        _ numbers: (own: UInt32, peer: UInt32)
    ) {
        if links[index].share(conversation, numbers) {
            becameMember(index, isOpen: conversation.record.isOpen)
            guard links[index].isMember else { return }
        }
        let request = FeedRequest(
            conversation: numbers.own,
            since: conversation.cursors[links[index].device] ?? .beginning,
            ownRun: conversation.presentRun ?? 0,
            ownPosition: conversation.feed.latest
        )
        links[index].outbox.append(.feed(request))
        tell(index, .joined(conversation: conversation.number))
        exchangeAddresses(of: conversation.number, on: index)
    }

    private mutating func becameMember(_ index: Int, isOpen: Bool) {
        let member = links[index].device
        if links[index].isInitiator,
            let text = dialer.memberProved(at: links[index].address, device: member)
        {
            step.writes.append(.address(device: member, text: text))
        }
        if member != device, let name = links.learnName(ofMember: index, isOpen: isOpen) {
            step.writes.append(.deviceName(device: member, name: name))
        }
        blobs.memberCame()
        for older in links.askOtherProcesses(of: index, at: step.now) { ping(older) }
        settleDuplicates(of: links.process(of: index), newcomer: index)
    }

    // MARK: Duplicates

    /// Leaves one link to a process, or two for as long as the older one is being asked.
    private mutating func settleDuplicates(of peer: LinkTable.Process, newcomer: Int? = nil) {
        let own = LinkTable.Process(device: device, nonce: identity.processNonce)
        while let next = links.settleDuplicates(
            of: peer,
            from: own,
            newcomer: newcomer,
            at: step.now
        ) {
            switch next {
            case .ask(let index): ping(index)
            case .close(let index): close(index, saying: .duplicate)
            }
        }
    }

    mutating func pongReceived(on index: Int) {
        links[index].liveness.pongReceived(at: step.now)
        guard let check = links[index].duplicate else { return }
        links[index].duplicate = nil
        let rival = links.index(of: check.rival)
        switch check.matter {
        case .sameProcess:
            if let rival { close(rival, saying: .duplicate) }
            settleDuplicates(of: links.process(of: index))
        case .otherProcess:
            guard let rival else { return }
            step.deliver(
                .duplicateIdentity(device: links[rival].device, address: links[rival].address)
            )
        }
    }

    /// The older link did not answer in time: a newer one replaces it, if one is still there.
    private mutating func duplicateUnanswered(_ check: DuplicateCheck, on index: Int) {
        links[index].duplicate = nil
        let peer = links.process(of: index)
        let hasOther = check.matter == .sameProcess && links.members(of: peer).count > 1
        guard hasOther || links.index(of: check.rival) != nil else { return }
        close(index, saying: .duplicate)
        settleDuplicates(of: peer)
    }

    /// Another process has this device's key: from now on it does not share an origin with it.
    private mutating func duplicateIdentityFound(_ index: Int, nonce: UInt64) {
        guard identity.met(duplicate: nonce) else { return }
        step.deliver(.duplicateIdentity(device: device, address: links[index].address))
        renewEpoch()
    }

    // MARK: Time

    mutating func meetDeadlines(ofLink index: Int) {
        if let deadline = links[index].phase.deadline, deadline <= step.now {
            if links[index].hello == nil {
                close(index, saying: .silent, text: "no hello")
            } else {
                close(index, saying: .nothingShared, text: "no conversation is shared")
                sharesNothing(index)
            }
        }
        if let check = links[index].duplicate, check.deadline <= step.now {
            duplicateUnanswered(check, on: index)
        }
        guard links[index].phase != .closing else { return }
        switch links[index].liveness.check(at: step.now) {
        case .well: break
        case .ping: ping(index)
        case .suspect:
            tell(index, .suspected)
            ping(index)
            dialer.suspected(links[index].device, isMember: links[index].isMember, at: step.now)
        case .dead: close(index, saying: .silent, text: "nothing was heard for 15 s")
        }
    }

    mutating func ping(_ index: Int) {
        links[index].ping(random.next(), at: step.now)
    }

    mutating func networkChanged() {
        dialer.networkChanged(at: step.now)
        for index in links.indices { ping(index) }
    }

    mutating func drained(_ link: LinkID) {
        guard let index = links.index(of: link) else { return }
        links[index].outbox.drained()
    }

    // MARK: Ending

    mutating func stop() {
        links.isStopping = true
        for index in links.indices { close(index, saying: .stopping) }
    }

    mutating func heardGoodbye(_ goodbye: Goodbye, on index: Int) {
        end(index, .heard(goodbye.reason, goodbye.text))
        if goodbye.reason == .nothingShared { sharesNothing(index) }
        guard goodbye.reason == .forged else { return }
        step.effects.reads += blobs.doubtServed(on: links[index].id).map(StoreRead.blob)
    }

    /// An address that leads to nobody of the same conversations is not dialled as a member's.
    private mutating func sharesNothing(_ index: Int) {
        guard links[index].isInitiator, links[index].replications.isEmpty else { return }
        dialer.sharedNothing(at: links[index].address)
    }

    /// Says goodbye and ends the link after what was handed over before.
    mutating func close(_ index: Int, saying reason: GoodbyeReason, text: String = "") {
        guard links[index].phase != .closing else { return }
        links[index].outbox.append(.goodbye(Goodbye(reason: reason, text: text)))
        end(index, .said(reason, text))
    }

    private mutating func end(_ index: Int, _ cause: CloseCause) {
        links[index].phase = .closing
        step.effects.closes.append(LinkClose(link: links[index].id, cause: cause))
        tell(index, .closed(cause))
    }

    mutating func linkClosed(_ link: LinkID, _ reason: String) {
        guard let index = links.index(of: link) else { return }
        links[index].phase = .closing
        tell(index, .closed(.lost(reason)))
    }

    /// Ends links to peers that ask and ask and do not take what they get.
    mutating func endOverflowing() {
        for index in links.indices
        where links[index].phase != .closing && links[index].outbox.pending > Outbox.bytesMax {
            refuse(.overLimit("more is on its way to the peer than it takes"), on: index)
        }
    }

    /// Takes links that ended in this step out of everything that knows them.
    mutating func removeClosedLinks() {
        guard links.areSomeClosing else { return }
        dialer.linksChanged(at: step.now)
        for index in links.indices where links[index].phase == .closing {
            for bytes in links[index].outbox.take() {
                step.farewells.append(LinkSend(link: links[index].id, bytes: bytes))
            }
        }
        for link in links.removeClosing() { forget(link) }
    }

    private mutating func forget(_ link: Link) {
        if link.isInitiator { dialer.linkEnded(link.address, at: step.now, random: &random) }
        if !link.replications.isEmpty, link.openedAt + .seconds(1) <= step.now {
            dialer.memberLost(link.device, at: step.now)
        }
        let other = links.first { $0.device == link.device && !$0.liveness.isSuspect }?.id
        for replication in link.replications {
            guard let index = conversationIndex(replication.conversation) else { continue }
            conversations[index].wants.linkClosed(link.id, other: other, at: step.now)
        }
        blobs.linkClosed(link.id)
        forgetIntroduced(by: link)
    }

    private mutating func tell(_ index: Int, _ change: LinkNotice.Change) {
        let link = links[index]
        step.deliver(
            .link(
                LinkNotice(
                    link: link.id,
                    device: link.device,
                    address: link.address,
                    change: change
                )
            )
        )
    }
}
