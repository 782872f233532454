extension NodeMachine {
    /// This node is in one more conversation: prove it on every link, and dial whoever is around.
    mutating func joined(_ record: ConversationRecord) {
        guard conversationIndex(record.number) == nil,
            conversations.count < configuration.limits.conversations
        else { return }
        // What changed in this turn is known by the places of the conversations, which move now.
        writeSessions()
        turn.writes.append(.conversation(record))
        let keys = ConversationKeys(record: record, device: device, epoch: epoch, using: crypto)
        let state = ConversationState(
            recovered: RecoveredConversation(record: record),
            keys: keys
        )
        let slot = conversations.firstIndex { $0.number > record.number } ?? conversations.count
        conversations.insert(state, at: slot)
        adoptOwnOrigin(slot: slot)
        begin(slot)
        for index in links.indices {
            switch links[index].phase {
            case .greeting, .closing: continue
            case .proving, .member: break
            }
            sendTags(on: index)
            match(on: index)
        }
        book.retryAll(at: turn.now)
    }

    /// This node is in a conversation no more: forget all of it, and the links that carried it.
    mutating func left(_ number: UInt32) {
        guard let slot = conversationIndex(number) else { return }
        writeSessions()
        turn.writes.append(.conversationLeft(number))
        for session in conversations[slot].sessions {
            for head in session.heads {
                if head.envelope != nil { cache.dropped(head.size) }
                for blob in head.blobs { unlist(blob, slot: slot) }
            }
        }
        conversations.remove(at: slot)
        commits.forget(number)
        for request in waitingRequests where request.conversation == number {
            answer(request, .unknownConversation)
        }
        waitingRequests.removeAll { $0.conversation == number }
        // Who joins again starts its sequences anew: under a new origin, no dot is used twice.
        renewEpoch()
        // Also where it was not shared: the peer may join, and its tag would be an old number's.
        for index in links.indices where links[index].membership.ownNumber(of: number) != nil {
            close(index, saying: .left)
        }
    }

    /// Starts a run of the feed and reserves the first own sequences.
    mutating func begin(_ slot: Int) {
        conversations[slot].feed.recoveryEnded()
        let number = conversations[slot].number
        let run = FeedRun(id: random.next(), start: conversations[slot].feed.latest)
        conversations[slot].runs.start(run)
        turn.writes.append(.runStarted(conversation: number, run))
        reserveSequences(slot)
    }

    mutating func reserveSequences(_ slot: Int) {
        guard conversations[slot].role == .writer,
            let end = conversations[slot].ownSequences.reserve()
        else { return }
        let number = conversations[slot].number
        turn.writes.append(.sequencesReserved(conversation: number, end: end))
        commits.reservesSequences(of: number)
    }

    /// Keeps the origins that the data directory knows, and this device's own.
    mutating func adoptOrigins(of recovered: RecoveredConversation) {
        guard let slot = conversationIndex(recovered.record.number) else { return }
        for (id, record) in recovered.origins {
            conversations[slot].origins[id] = originState(record, slot: slot, isStored: true)
        }
        adoptOwnOrigin(slot: slot)
    }

    mutating func adoptOwnOrigin(slot: Int) {
        let id = conversations[slot].keys.ownOrigin
        guard let certificate = conversations[slot].record.certificate,
            conversations[slot].origins[id] == nil
        else { return }
        let record = OriginRecord(
            deviceKey: crypto.devicePublicKey,
            epoch: epoch,
            certificate: certificate
        )
        conversations[slot].origins[id] = originState(record, slot: slot, isStored: false)
    }

    private func originState(
        _ record: OriginRecord,
        slot: Int,
        isStored: Bool
    ) -> OriginState {
        let device = DeviceID(publicKey: record.deviceKey, using: crypto)
        let participant = ParticipantID(
            conversation: conversations[slot].record.id,
            device: device,
            using: crypto
        )
        return OriginState(
            record: record,
            device: device,
            participant: participant,
            isStored: isStored
        )
    }

    /// A peer says who stands behind an origin: believed if the write key certified the device.
    mutating func originReceived(_ frame: OriginFrame, on index: Int) throws(Refusal) {
        guard let share = try shareIndex(ofPeerNumber: frame.conversation, on: index),
            let slot = conversationIndex(links[index].shares[share].conversation)
        else { return }
        let origin = originState(frame.record, slot: slot, isStored: false)
        let id = OriginID(
            conversation: conversations[slot].record.id,
            device: origin.device,
            epoch: frame.record.epoch,
            using: crypto
        )
        if let known = conversations[slot].origins[id] {
            if !known.isStored { try noteIntroduced(id, slot: slot, on: index) }
            return
        }
        guard conversations[slot].origins.count < ConversationState.originsMax else { return }
        let signed = origin.device.certifiedBytes
        guard
            crypto.verify(
                frame.record.certificate,
                of: signed.span.bytes,
                by: conversations[slot].keys.publicWriteKey
            )
        else { throw .badCertificate }
        try noteIntroduced(id, slot: slot, on: index)
        conversations[slot].origins[id] = origin
    }

    private mutating func noteIntroduced(
        _ id: OriginID,
        slot: Int,
        on index: Int
    ) throws(Refusal) {
        if links[index].introduced.count >= Link.introducedMax {
            let introduced = links[index].introduced
            links[index].introduced = introduced.filter { isUnused($0.origin, of: $0.conversation) }
        }
        guard links[index].introduced.count < Link.introducedMax else {
            throw .overLimit("origins without an envelope")
        }
        links[index].introduced.append((conversations[slot].number, id))
    }

    /// Whether an origin of somebody else is known of which no envelope came.
    private func isUnused(_ id: OriginID, of conversation: UInt32) -> Bool {
        guard let slot = conversationIndex(conversation) else { return false }
        return conversations[slot].origins[id]?.isStored == false
            && id != conversations[slot].keys.ownOrigin
    }

    /// A link is gone: origins that only it introduced and of which no envelope came are forgotten,
    /// so that nobody can fill the table with them.
    mutating func forgetIntroduced(by link: Link) {
        let unused = link.introduced.filter { isUnused($0.origin, of: $0.conversation) }
        guard !unused.isEmpty else { return }
        let vouched = Set(links.flatMap { $0.introduced.map(\.origin) })
        for (number, id) in unused where !vouched.contains(id) {
            guard let slot = conversationIndex(number) else { continue }
            conversations[slot].origins[id] = nil
        }
    }

    // MARK: Peers of peers

    /// Tells a new member where the others are, and the others where it is.
    mutating func exchangeAddresses(of conversation: UInt32, on index: Int) {
        let others = links.indices.filter {
            $0 != index && links[$0].isMember
                && links[$0].share(ofConversation: conversation) != nil
        }
        let known = others.flatMap { addresses(of: links[$0].device) }
        tellAddresses(known, of: conversation, on: index)
        let own = addresses(of: links[index].device)
        for other in others { tellAddresses(own, of: conversation, on: other) }
    }

    private func addresses(of device: DeviceID) -> [PeerAddress] {
        book.entries.compactMap { entry in
            guard entry.isMember, entry.device == device, !entry.isLinkLocal else { return nil }
            return PeerAddress(device: device, address: entry.address)
        }
    }

    private mutating func tellAddresses(
        _ addresses: [PeerAddress],
        of conversation: UInt32,
        on index: Int
    ) {
        guard let share = links[index].share(ofConversation: conversation), !addresses.isEmpty
        else { return }
        let frame = PeerAddresses(
            conversation: links[index].shares[share].ownNumber,
            peers: Array(addresses.prefix(Limits.peerAddresses))
        )
        links[index].outbox.append(.peers(frame))
    }

    mutating func peersReceived(_ peers: PeerAddresses, on index: Int) throws(Refusal) {
        guard try shareIndex(ofPeerNumber: peers.conversation, on: index) != nil else { return }
        for peer in peers.peers where peer.device != device && !peer.isScoped {
            let found = FoundAddress(text: peer.address, source: .told, device: peer.device)
            book.found(found, at: turn.now)
        }
    }
}

extension ConversationState {
    /// Origins kept per conversation.
    static let originsMax = 65_536
}

extension PeerAddress {
    /// Whether it names an interface, which means something to the machine that has it only.
    var isScoped: Bool { address.contains("%") }
}
