/// Makes the cards of a machine's device, and keeps and passes on those of others.
enum Cards {
    /// A link to a member began: the member gets all cards of the conversation.
    static func begin(of conversation: Conversation, on link: Int, _ machine: inout NodeMachine) {
        guard !conversation.record.isOpen else { return }
        let number = conversation.number
        machine.members.cards[number].linked(at: machine.step.now)
        let cards = machine.members.cards[number].all(at: machine.step.now)
        guard !cards.isEmpty else { return }
        let entries = cards.map { MemberEntry.card($0) }
        machine.members.send(entries, sum: nil, of: number, on: link, &machine.links)
    }

    /// Makes the cards that are due.
    static func sendDue(_ machine: inout NodeMachine) {
        let (committed, now) = (machine.commits.committed, machine.step.now)
        guard machine.members.cards.isDue(at: now) else { return }
        for number in machine.members.cards.due(committed, at: now) {
            send(number, isLeaving: false, &machine)
            passGathered(number, &machine)
        }
        machine.members.cards.finish()
    }

    /// The node stops: its members learn that.
    static func leave(_ machine: inout NodeMachine) {
        for number in machine.members.cards.numbers {
            machine.members.cards[number].renew(at: machine.step.now)
            send(number, isLeaving: true, &machine)
        }
    }

    private static func send(_ number: UInt32, isLeaving: Bool, _ machine: inout NodeMachine) {
        guard let index = machine.conversations.index(of: number) else { return }
        let write = machine.members.cards[number].reserve(
            in: number,
            committed: machine.commits.committed,
            next: machine.commits.next
        )
        if let write { machine.step.writes.append(write) }
        let now = machine.step.now
        let count = machine.members.cards[number].takeNumber(at: now, random: &machine.random)
        guard let count else { return }
        let conversation = machine.conversations[index]
        // Relays show no person, as other relays can read their cards.
        let person = conversation.role == .relay ? nil : machine.members.cards.person
        let card = conversation.keys.card(
            number: count,
            text: CardText(name: machine.configuration.deviceName, person: person),
            isLeaving: isLeaving,
            random: &machine.random,
            using: machine.crypto
        )
        guard let card else { return }
        machine.members.cards[number].made(card, at: now)
        machine.members.pass([.card(card)], in: number, besides: nil, &machine.links)
        admit(machine.members.cards[number].held.keys.sorted(), to: conversation, &machine)
    }

    /// Admits the writers among some devices that have a card and no link to anybody with a rank.
    ///
    /// The creator does that at once. Others wait for their own next card, so that seldom two of
    /// them admit the same writer.
    private static func admit(
        _ devices: [DeviceID],
        to conversation: Conversation,
        _ machine: inout NodeMachine
    ) {
        machine.members.admit(
            writers: devices,
            to: conversation,
            upTo: Limits.admissionsByCards,
            &machine.links,
            &machine.step,
            machine.crypto
        )
    }

    private static func passGathered(_ number: UInt32, _ machine: inout NodeMachine) {
        let gathered = machine.members.cards[number].takeGathered(at: machine.step.now)
        guard !gathered.isEmpty else { return }
        for link in machine.links.indices {
            let others = gathered.filter { $0.via != machine.links[link].device }
            guard !others.isEmpty else { continue }
            let entries = others.map { MemberEntry.card($0.card) }
            machine.members.send(entries, sum: nil, of: number, on: link, &machine.links)
        }
    }

    /// Cards came on a link: keeps the later ones, and passes them on, at once if people see a
    /// difference.
    static func received(
        _ cards: [Card],
        of conversation: Conversation,
        on link: Int,
        _ machine: inout NodeMachine
    ) throws(Refusal) {
        guard !cards.isEmpty, !conversation.record.isOpen else { return }
        let number = conversation.number
        var news: [MemberEntry] = []
        for card in cards {
            let device = DeviceID(publicKey: card.key, using: machine.crypto)
            let isNews = try keep(card, of: device, in: conversation, from: link, &machine)
            if isNews { news.append(.card(card)) }
        }
        guard !news.isEmpty else { return }
        let source = machine.links[link].id
        machine.members.pass(news, in: number, besides: source, &machine.links)
        machine.step.deliver(.admissions(conversation: number))
    }

    /// Keeps a card if it is later than the one before, and its device is a member.
    ///
    /// - Returns: whether to pass it on at once.
    /// - Throws: `badProof` for a card that the device has not signed.
    private static func keep(
        _ card: Card,
        of device: DeviceID,
        in conversation: Conversation,
        from link: Int,
        _ machine: inout NodeMachine
    ) throws(Refusal) -> Bool {
        let (number, now) = (conversation.number, machine.step.now)
        let (source, via) = (machine.links[link].id, machine.links[link].device)
        machine.members.cards[number].came(card, of: device, via: via, at: now)
        let isKnown =
            machine.members.cards[number].held[device] != nil
            || device == via || machine.members.known[number]?[device] != nil
            || conversation.origins.values.contains { $0.device == device }
        guard device != machine.device,
            machine.members.cards[number].wants(card, of: device, isKnown: isKnown, on: source)
        else { return false }
        guard card.isSigned(in: conversation.record.id, using: machine.crypto) else {
            throw .badProof
        }
        // A relay passes on what only readers can check.
        let proven = conversation.keys.proves(card, of: device, using: machine.crypto)
        let isMember = conversation.generations.isMember(
            device,
            as: card.role,
            certifiedBy: card.generation,
            of: conversation.generations.current,
            using: machine.crypto
        )
        guard proven != false, isMember else { return false }
        let text = conversation.keys.text(of: card, by: device, using: machine.crypto)
        if proven == true {
            var known = KnownDevice(
                device: device,
                key: card.key,
                role: card.role,
                generation: card.generation
            )
            // Without the keys of the card nothing is known of the person.
            let before = machine.members.known[number]?[device]?.person
            known.person = text.map(\.person) ?? before
            machine.members
                .learn(known, of: conversation, hasLink: false, &machine.step, machine.crypto)
            if conversation.generations.birth?.creator == machine.crypto.devicePublicKey {
                admit([device], to: conversation, &machine)
            }
        }
        return machine.members.cards[number].keep(
            CardTable.Held(
                card: card,
                text: text,
                cameAt: now,
                via: via,
                isProven: proven == true
            ),
            of: device,
            isKnown: isKnown,
            from: source
        )
    }
}
