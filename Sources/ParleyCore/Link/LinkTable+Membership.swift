/// Opens links, and makes them links of members.
extension LinkTable {
    /// The TLS handshake of a link is done: says hello.
    package mutating func opened(
        _ opened: OpenedLink,
        device: DeviceID,
        saying hello: Hello,
        outboxCapacity: Int,
        into step: inout Step
    ) {
        var link = Link(opened, device: device, outboxCapacity: outboxCapacity, at: step.now)
        link.outbox.append(.hello(hello))
        let index = all.insert(link)
        if isStopping { self[index].close(saying: .stopping, into: &step) }
        closeIfBarred(index, into: &step)
        if refused.pause(of: device, at: step.now) != nil {
            self[index].close(saying: .busy, text: "it was refused a short while ago", into: &step)
        }
    }

    /// The process at the other end of a link.
    package enum Counterpart: Sendable, Equatable {
        /// A process of another device.
        case peer
        /// This process itself.
        case own
        /// Another process with this device's key.
        case copy
    }

    /// The peer says hello; the wire versions of both sides have to overlap.
    package mutating func helloReceived(
        _ hello: Hello,
        on index: Int,
        versions: ClosedRange<UInt64>
    ) throws(Refusal) -> Counterpart {
        self[index].hello = hello
        guard hello.wireVersions.overlaps(versions) else {
            throw .incompatible(hello.wireVersions)
        }
        guard self[index].device == all.own.device else { return .peer }
        return hello.processNonce == all.own.nonce ? .own : .copy
    }

    /// Both sides have said hello: each proves now which conversations it has.
    package mutating func greeted(_ index: Int, into step: inout Step) {
        guard let hello = self[index].hello else { return }
        self[index].phase = .proving(deadline: step.now + LinkPhase.patience)
        let change = LinkNotice.Change.greeted(software: hello.software, name: hello.deviceName)
        step.deliver(self[index].notice(of: change))
        offerPairing(into: &step)
    }

    // MARK: Conversations of both sides

    /// Shares the conversations of which both sides have proved membership on a link.
    ///
    /// The first conversation makes the peer a member. Open conversations come last, as their peers
    /// may not use all slots. A peer without a slot is turned away.
    ///
    /// - Returns: the indices of the conversations that are shared from now on.
    package mutating func match(
        on index: Int,
        _ conversations: ConversationTable,
        countMax: Int,
        using crypto: some Cryptography,
        into step: inout Step
    ) -> [Int] {
        var shared: [Int] = []
        var isTurnedAway = false
        for isOpen in [false, true] {
            for number in conversations.indices
            where conversations[number].record.isOpen == isOpen {
                let conversation = conversations[number]
                guard let numbers = self[index].match(conversation, using: crypto) else {
                    continue
                }
                let hasSlot = makeSlot(
                    for: index,
                    sharing: conversation,
                    among: conversations,
                    countMax: countMax,
                    into: &step
                )
                guard hasSlot else {
                    isTurnedAway = true
                    continue
                }
                self[index].share(conversation, numbers)
                mesh.linked(self[index].device)
                shared.append(number)
            }
        }
        if isTurnedAway, !self[index].isMember { turnAway(index, into: &step) }
        return shared
    }

    /// Makes a slot for a peer that has proved a conversation, perhaps by closing another link.
    ///
    /// - Returns: whether there is a slot.
    package mutating func makeSlot(
        for index: Int,
        sharing conversation: Conversation,
        among conversations: ConversationTable,
        countMax: Int,
        into step: inout Step
    ) -> Bool {
        let admission = slots.admission(
            of: index,
            sharing: conversation,
            among: conversations,
            all,
            countMax: countMax,
            at: step.now
        )
        guard case .replaces(let device) = admission else { return admission == .admitted }
        for member in indices where self[member].isMember && self[member].device == device {
            self[member].close(saying: .busy, text: "another member needs the place", into: &step)
        }
        return true
    }

    /// There is no slot for the peer of a link: turns the peer away.
    package mutating func turnAway(_ index: Int, into step: inout Step) {
        slots.turnedAway(self[index], at: step.now)
        self[index].close(saying: .busy, text: "as many links as there may be", into: &step)
    }

    /// Begins to replicate a shared conversation: asks for the feed, and exchanges addresses.
    ///
    /// `known` names the addresses of a member that others may be told.
    package mutating func begin(
        _ conversation: Conversation,
        on index: Int,
        known: (DeviceID) -> [PeerAddress],
        into step: inout Step
    ) {
        self[index].requestFeed(of: conversation)
        step.deliver(self[index].notice(of: .joined(conversation: conversation.number)))
        all.exchangeAddresses(of: conversation.number, on: index, known: known)
    }
}
