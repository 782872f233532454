extension NodeMachine {
    /// TLS is up: say hello.
    mutating func linkOpened(_ opened: OpenedLink) {
        let peer = DeviceID(publicKey: opened.peerKey, using: crypto)
        if let dial = opened.dial { book.connected(dial, to: peer) }
        var link = Link(opened, device: peer, at: turn.now)
        link.outbox.append(
            .hello(
                Hello(
                    wireVersions: configuration.wireVersions,
                    software: configuration.software,
                    deviceName: configuration.deviceName,
                    processNonce: processNonce
                )
            )
        )
        // Handshakes need not end in the order in which they began.
        let place = links.lastIndex { $0.id < link.id }.map { $0 + 1 } ?? 0
        links.insert(link, at: place)
        dialsDue = turn.now
        if isStopping { close(place, saying: .stopping) }
    }

    mutating func helloReceived(_ hello: Hello, on index: Int) throws(Refusal) {
        links[index].hello = hello
        guard hello.wireVersions.overlaps(configuration.wireVersions) else {
            throw .incompatible(hello.wireVersions)
        }
        if links[index].device == device {
            guard hello.processNonce != processNonce else {
                if links[index].isInitiator { book.isSelf(links[index].address) }
                close(index, saying: .selfLink)
                return
            }
            twinFound(index, nonce: hello.processNonce)
        }
        links[index].phase = .proving(deadline: turn.now + LinkPhase.patience)
        tell(index, .greeted(software: hello.software, name: hello.deviceName))
        sendTags(on: index)
    }

    /// Proves membership of every conversation that this link was not told of yet.
    mutating func sendTags(on index: Int) {
        let link = links[index]
        let tags = conversations.map { conversation in
            let tag = membershipTag(of: conversation, isInitiator: link.isInitiator, on: link)
            return (number: conversation.number, tag: tag)
        }
        guard
            let frame = links[index].membership.tagsToSend(for: tags, random: &random)
        else { return }
        links[index].outbox.append(.conversations(frame))
    }

    mutating func tagsReceived(_ tags: ConversationTags, on index: Int) throws(Refusal) {
        guard links[index].membership.received(tags.tags) else {
            throw .overLimit("tags of conversations")
        }
        match(on: index)
    }

    /// Looks for conversations of both sides that are not shared on this link yet.
    ///
    /// Open ones come last, for a peer that shares another one as well has a place of its own.
    mutating func match(on index: Int) {
        var isTurnedAway = false
        for isOpen in [false, true] {
            for conversation in conversations where conversation.record.isOpen == isOpen {
                guard let (ownNumber, peerNumber) = numbers(of: conversation, on: index) else {
                    continue
                }
                if hasRoom(for: conversation, on: index) {
                    open(conversation, on: index, ownNumber: ownNumber, peerNumber: peerNumber)
                } else {
                    isTurnedAway = true
                }
            }
        }
        guard isTurnedAway, !links[index].isMember else { return }
        close(index, saying: .busy, text: "as many links as there may be")
    }

    /// The proof of a conversation of the side of a link that has the role.
    private func membershipTag(
        of conversation: ConversationState,
        isInitiator: Bool,
        on link: Link
    ) -> Bytes16 {
        conversation.keys.membershipTag(
            exporter: link.exporter,
            isInitiator: isInitiator,
            using: crypto
        )
    }

    /// The numbers of a conversation on both sides of a link, if both have it and it is not shared
    /// there yet.
    private func numbers(
        of conversation: ConversationState,
        on index: Int
    ) -> (own: UInt32, peer: UInt32)? {
        guard links[index].phase != .closing,
            links[index].share(ofConversation: conversation.number) == nil
        else { return nil }
        let link = links[index]
        let tag = membershipTag(of: conversation, isInitiator: !link.isInitiator, on: link)
        guard let peerNumber = link.membership.peerNumber(of: tag),
            let ownNumber = links[index].membership.ownNumber(of: conversation.number)
        else { return nil }
        return (ownNumber, peerNumber)
    }

    /// Whether one more member's link may be there: half of the places are kept for peers that
    /// share more than open conversations.
    ///
    /// An older link to the same device does not count: one of the two will go.
    private func hasRoom(for conversation: ConversationState, on index: Int) -> Bool {
        guard !links[index].isMember else { return true }
        let device = links[index].device
        let members = links.filter { $0.isMember && $0.device != device }
        guard members.count < configuration.limits.links else { return false }
        guard conversation.record.isOpen else { return true }
        let open = members.count { link in
            link.shares.allSatisfy { share in
                conversationIndex(share.conversation).map { conversations[$0].record.isOpen }
                    ?? true
            }
        }
        return open < configuration.limits.links / 2
    }

    private mutating func open(
        _ conversation: ConversationState,
        on index: Int,
        ownNumber: UInt32,
        peerNumber: UInt32
    ) {
        let device = links[index].device
        let cursor = conversation.cursors[device] ?? .beginning
        links[index].shares.append(
            Share(
                conversation: conversation.number,
                ownNumber: ownNumber,
                peerNumber: peerNumber,
                cursor: cursor
            )
        )
        if !links[index].isMember {
            links[index].phase = .member
            remember(index)
            rememberName(index, isOpen: conversation.record.isOpen)
            blobs.memberCame()
            settleDuplicates(with: index)
            guard links[index].isMember else { return }
        }
        links[index].outbox.append(
            .feed(
                FeedRequest(
                    conversation: ownNumber,
                    since: cursor,
                    ownRun: conversation.runs.present?.id ?? 0,
                    ownPosition: conversation.feed.latest
                )
            )
        )
        tell(index, .joined(conversation: conversation.number))
        exchangeAddresses(of: conversation.number, on: index)
    }

    /// The address of a dialled link leads to a member: keep it for the next start.
    private mutating func remember(_ index: Int) {
        let link = links[index]
        guard link.isInitiator,
            let address = book.proved(address: link.address, device: link.device)
        else { return }
        turn.writes.append(.address(device: link.device, text: address))
    }

    /// What a member calls its device is kept for when it is away.
    ///
    /// A link has one hello and becomes a member's once, so that a device which is called
    /// otherwise all the time costs a write for each of its links, and no more.
    private mutating func rememberName(_ index: Int, isOpen: Bool) {
        let member = links[index].device
        guard member != device, let name = links[index].hello?.deviceName,
            names.learn(name, of: member, isOpen: isOpen)
        else { return }
        turn.writes.append(.deviceName(device: member, name: name))
    }

    /// A link that was silent begins anew: what changed meanwhile may come from its author as well.
    mutating func answersAgain(_ index: Int) {
        dialsDue = turn.now
        for share in links[index].shares.indices {
            guard let slot = conversationIndex(links[index].shares[share].conversation) else {
                continue
            }
            links[index].shares[share].outgoing.resumed(latest: conversations[slot].feed.latest)
            links[index].shares[share].incoming.resumed(at: turn.now)
        }
    }

    mutating func pongReceived(on index: Int) {
        links[index].liveness.pongReceived(at: turn.now)
        duplicateAnswered(index)
    }

    mutating func heardGoodbye(_ goodbye: Goodbye, on index: Int) {
        end(index, .heard(goodbye.reason, goodbye.text))
        if goodbye.reason == .nothingShared { sharesNothing(index) }
        guard goodbye.reason == .forged else { return }
        turn.effects.reads += blobs.doubtServed(on: links[index].id).map(StoreRead.blob)
    }

    /// An address that leads to nobody of the same conversations is not dialled as a member's.
    mutating func sharesNothing(_ index: Int) {
        guard links[index].isInitiator, links[index].shares.isEmpty else { return }
        book.sharesNothing(links[index].address)
    }

    /// Says goodbye and ends the link after what was handed over before.
    mutating func close(_ index: Int, saying reason: GoodbyeReason, text: String = "") {
        guard links[index].phase != .closing else { return }
        links[index].outbox.append(.goodbye(Goodbye(reason: reason, text: text)))
        end(index, .said(reason, text))
    }

    private mutating func end(_ index: Int, _ cause: CloseCause) {
        links[index].phase = .closing
        turn.effects.closes.append(LinkClose(link: links[index].id, cause: cause))
        tell(index, .closed(cause))
    }

    mutating func linkClosed(_ link: LinkID, _ reason: String) {
        guard let index = linkIndex(link) else { return }
        links[index].phase = .closing
        tell(index, .closed(.lost(reason)))
    }

    mutating func dialFailed(_ dial: DialID) {
        book.failed(dial, at: turn.now, random: &random)
    }

    /// Ends links to peers that ask and ask and do not take what they get.
    mutating func endOverflowing() {
        for index in links.indices
        where links[index].phase != .closing && links[index].outbox.pending > Outbox.bytesMax {
            refuse(.overLimit("more is on its way to the peer than it takes"), on: index)
        }
    }

    /// Takes links that ended in this turn out of everything that knows them.
    mutating func removeClosedLinks() {
        guard links.areSomeClosing else { return }
        dialsDue = turn.now
        var closing: [Link] = []
        for index in links.indices where links[index].phase == .closing {
            for bytes in links[index].outbox.take() {
                turn.farewells.append(LinkSend(link: links[index].id, bytes: bytes))
            }
            closing.append(links[index])
        }
        links.removeAll { $0.phase == .closing }
        for link in closing { forget(link) }
    }

    private mutating func forget(_ link: Link) {
        if link.isInitiator {
            book.ended(address: link.address, at: turn.now, random: &random)
        }
        if !link.shares.isEmpty, link.openedAt + .seconds(1) <= turn.now {
            book.retry(link.device, isMember: true, at: turn.now)
        }
        for share in link.shares {
            guard let slot = conversationIndex(share.conversation) else { continue }
            let other = links.first { $0.device == link.device && !$0.liveness.isSuspect }
            conversations[slot].wants.linkClosed(link.id, other: other?.id, at: turn.now)
        }
        blobs.linkClosed(link.id)
        forgetIntroduced(by: link)
    }

    mutating func drained(_ link: LinkID) {
        guard let index = linkIndex(link) else { return }
        links[index].outbox.drained()
    }

    mutating func stop() {
        isStopping = true
        for index in links.indices { close(index, saying: .stopping) }
    }

    mutating func networkChanged() {
        book.networkChanged(at: turn.now)
        for index in links.indices { ping(index) }
    }

    mutating func ping(_ index: Int) {
        let number = random.next()
        links[index].outbox.append(.ping(number))
        links[index].liveness.pingSent(at: turn.now)
    }

    mutating func tell(_ index: Int, _ change: LinkNotice.Change) {
        let link = links[index]
        turn.effects.deliveries.append(
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
