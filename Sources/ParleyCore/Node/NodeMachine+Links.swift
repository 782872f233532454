/// Begins and ends links.
extension NodeMachine {
    // MARK: Beginning

    /// The TLS handshake of a link is done: says hello.
    mutating func linkOpened(_ opened: OpenedLink) {
        let peer = DeviceID(publicKey: opened.peerKey, using: crypto)
        dialer.linkOpened(opened.dial, to: peer, at: step.now, reaching: opened.remote)
        let hello = configuration.hello(of: identity.processNonce)
        let capacity = configuration.limits.outboxBytes
        links.opened(opened, device: peer, saying: hello, outboxCapacity: capacity, into: &step)
    }

    mutating func helloReceived(_ hello: Hello, on index: Int) throws(Refusal) {
        switch try links.helloReceived(hello, on: index, versions: configuration.wireVersions) {
        case .own:
            if links[index].isInitiator { dialer.foundSelf(at: links[index].address) }
            return links[index].close(saying: .selfLink, into: &step)
        case .copy where identity.met(duplicate: hello.processNonce):
            // With a new epoch, this process shares no origin with the other one.
            step.deliver(.duplicateIdentity(device: device, address: links[index].address))
            renewEpoch()
        case .peer, .copy: break
        }
        links.greeted(index, into: &step)
        members.knock(on: index, &links, crypto)
        links[index].sendTags(of: conversations, using: crypto, random: &random)
    }

    mutating func tagsReceived(_ tags: ConversationTags, on index: Int) throws(Refusal) {
        try links[index].tagsReceived(tags)
        match(on: index)
        KeyChanges.bringUpToDate(index, &self)
    }

    /// Shares the conversations that both sides have and do not share on this link yet.
    mutating func match(on index: Int) {
        let wasMember = links[index].isMember
        let shared = links.match(
            on: index,
            conversations,
            countMax: configuration.limits.links,
            using: crypto,
            into: &step
        )
        guard let first = shared.first else { return }
        if !wasMember { becameMember(index, isOpen: conversations[first].record.isOpen) }
        for conversation in shared where links[index].isMember {
            links.begin(
                conversations[conversation],
                on: index,
                known: dialer.addresses(ofMember:),
                into: &step
            )
            KeyChanges.beginMembers(of: conversation, on: index, &self)
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
        links.all.becameMember(index, into: &step, random: &random)
    }

    /// Dials the members of the passive view that are needed again.
    mutating func promoteMembers() {
        let changes = dialer.takeChanges()
        guard links.mesh.isPromotionDue(after: changes, at: step.now) else { return }
        let promotion = links.promote(
            after: changes,
            reachable: { dialer.reachableHints },
            among: conversations,
            at: step.now
        )
        for device in promotion.inVain {
            dialer.turnedAway(device, .dispensable, at: step.now, random: &random)
        }
        for device in promotion.devices { dialer.memberLost(device, at: step.now) }
    }

    // MARK: Ending

    mutating func heardGoodbye(_ goodbye: Goodbye, on index: Int) {
        links[index].heard(goodbye, into: &step)
        if goodbye.reason == .nothingShared, let address = links[index].unsharedAddress {
            dialer.sharedNothing(at: address)
        }
        if goodbye.reason == .forged { blobs.doubtServed(on: links[index].id, into: &step) }
    }

    /// Removes the ended links of a step, and all references to them.
    mutating func removeClosedLinks() {
        guard links.all.areSomeClosing else { return }
        dialer.linksChanged(at: step.now)
        for link in links.removeClosing(into: &step) { forget(link) }
    }

    private mutating func forget(_ link: Link) {
        if link.isInitiator { dialer.linkEnded(link.address, at: step.now, random: &random) }
        let loss = links.loss(of: link, at: step.now)
        dialer.linkEnded(to: link.device, loss, at: step.now, random: &random)
        links.all.forget(link, in: &conversations, at: step.now)
        blobs.linkClosed(link.id)
        members.linkClosed(link.id)
        author.linkClosed(link, links, conversations, commits, blobs, at: step.now)
    }
}
