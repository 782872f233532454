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
        if links.isStopping { links.close(index, saying: .stopping, into: &step) }
    }

    mutating func helloReceived(_ hello: Hello, on index: Int) throws(Refusal) {
        links[index].hello = hello
        guard hello.wireVersions.overlaps(configuration.wireVersions) else {
            throw .incompatible(hello.wireVersions)
        }
        if links[index].device == device {
            guard hello.processNonce != identity.processNonce else {
                if links[index].isInitiator { dialer.foundSelf(at: links[index].address) }
                links.close(index, saying: .selfLink, into: &step)
                return
            }
            duplicateIdentityFound(index, nonce: hello.processNonce)
        }
        links[index].phase = .proving(deadline: step.now + LinkPhase.patience)
        step.deliver(
            links.notice(of: index, .greeted(software: hello.software, name: hello.deviceName))
        )
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
        links.close(index, saying: .busy, text: "as many links as there may be", into: &step)
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
            ownIncarnation: conversation.presentIncarnation ?? 0,
            ownPosition: conversation.feed.latest
        )
        links[index].outbox.append(.feed(request))
        step.deliver(links.notice(of: index, .joined(conversation: conversation.number)))
        let dialer = dialer
        links.exchangeAddresses(of: conversation.number, on: index) {
            dialer.addresses(ofMember: $0)
        }
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
        links.becameMember(index, into: &step, random: &random)
    }

    /// Another process has this device's key: from now on it does not share an origin with it.
    private mutating func duplicateIdentityFound(_ index: Int, nonce: UInt64) {
        guard identity.met(duplicate: nonce) else { return }
        step.deliver(.duplicateIdentity(device: device, address: links[index].address))
        renewEpoch()
    }

    // MARK: Time

    mutating func meetDeadlines(ofLink index: Int) {
        switch links.meetDeadlines(of: index, into: &step, random: &random) {
        case nil: break
        case .sharesNothing(let address): dialer.sharedNothing(at: address)
        case .suspected(let device, let isMember):
            dialer.suspected(device, isMember: isMember, at: step.now)
        }
    }

    mutating func networkChanged() {
        dialer.networkChanged(at: step.now)
        for index in links.indices { links.ping(index, at: step.now, random: &random) }
    }

    // MARK: Ending

    mutating func heardGoodbye(_ goodbye: Goodbye, on index: Int) {
        links.heard(goodbye, on: index, into: &step)
        if goodbye.reason == .nothingShared, let address = links.unsharedAddress(of: index) {
            dialer.sharedNothing(at: address)
        }
        guard goodbye.reason == .forged else { return }
        step.effects.reads += blobs.doubtServed(on: links[index].id).map(StoreRead.blob)
    }

    /// Takes links that ended in this step out of everything that knows them.
    mutating func removeClosedLinks() {
        guard links.areSomeClosing else { return }
        dialer.linksChanged(at: step.now)
        for link in links.removeClosing(into: &step) { forget(link) }
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
}
