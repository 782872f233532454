/// Joining and leaving conversations, and what they have in common: epoch and addresses.
extension NodeMachine {
    /// This node is in one more conversation: prove it on every link, and dial whoever is around.
    mutating func joined(_ record: ConversationRecord) {
        guard conversationIndex(record.number) == nil,
            conversations.count < configuration.limits.conversations
        else { return }
        // What changed in this step is known by the indices of the conversations, which move now.
        writeSessions()
        step.writes.append(.conversation(record))
        begin(add(RecoveredConversation(record: record)))
        for index in links.indices {
            switch links[index].phase {
            case .greeting, .closing: continue
            case .proving, .member: break
            }
            sendTags(on: index)
            match(on: index)
        }
        dialer.joined(at: step.now)
    }

    /// Keeps a conversation in the order of the numbers.
    ///
    /// - Returns: its index.
    @discardableResult
    mutating func add(_ recovered: RecoveredConversation) -> Int {
        let conversation = Conversation(
            recovered: recovered,
            device: device,
            epoch: epoch,
            limits: configuration.limits,
            using: crypto
        )
        let index =
            conversations.firstIndex { $0.number > conversation.number } ?? conversations.count
        conversations.insert(conversation, at: index)
        return index
    }

    /// This node is in a conversation no more: forget all of it, and the links that carried it.
    mutating func left(_ number: UInt32) {
        guard let index = conversationIndex(number) else { return }
        writeSessions()
        step.writes.append(.conversationLeft(number))
        for session in conversations[index].sessions {
            for head in session.heads {
                if head.envelope != nil { cache.dropped(head.size) }
                for blob in head.blobs { unlist(blob) }
            }
        }
        conversations.remove(at: index)
        commits.forget(number)
        for request in author.left(number) { answer(request, .unknownConversation) }
        // A node that joins again starts its sequences anew: under a new origin, no dot is used
        // twice.
        renewEpoch()
        // Also where it was not shared: the peer may join, and its tag would be an old number's.
        for index in links.indices where links[index].membership.ownNumber(of: number) != nil {
            links.close(index, saying: .left, into: &step)
        }
    }

    /// Starts an incarnation of the feed and reserves the first own sequences.
    mutating func begin(_ index: Int) {
        let incarnation = conversations[index].begin(random.next())
        step.writes.append(
            .incarnationStarted(conversation: conversations[index].number, incarnation)
        )
        reserveSequences(index)
    }

    mutating func reserveSequences(_ index: Int) {
        guard let end = conversations[index].reserveSequences() else { return }
        let number = conversations[index].number
        step.writes.append(.sequencesReserved(conversation: number, end: end))
        commits.reservesSequences(of: number)
    }

    // MARK: Epochs

    /// The data directory is a copy, or lies elsewhere: peers may have gone on with a feed that is
    /// not this one, so each starts over.
    ///
    /// What they had up to a position there may have moved on before they had it, and be here at
    /// the position where it was.
    mutating func forgetIncarnations() {
        for index in conversations.indices where conversations[index].incarnations.present != nil {
            conversations[index].incarnations = FeedIncarnations()
            step.writes.append(.incarnationsForgotten(conversation: conversations[index].number))
        }
    }

    /// Everything from now on is of a new origin, so that no dot is ever used twice.
    mutating func renewEpoch() {
        identity.epoch = Epoch(random.next())
        step.writes.append(.epoch(epoch))
        for index in conversations.indices {
            conversations[index].renew(epoch: epoch, using: crypto)
        }
    }

    // MARK: Peers of peers

    mutating func peersReceived(_ peers: PeerAddresses, on index: Int) throws(Refusal) {
        guard try links[index].replication(ofPeerNumber: peers.conversation) != nil else { return }
        for peer in peers.peers where peer.device != device && !peer.isScoped {
            let found = FoundAddress(text: peer.address, source: .told, device: peer.device)
            dialer.found(found, at: step.now)
        }
    }
}

extension PeerAddress {
    /// Whether it names an interface, which means something to the machine that has it only.
    fileprivate var isScoped: Bool { address.contains("%") }
}
