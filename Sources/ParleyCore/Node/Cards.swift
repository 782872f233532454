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
        let numbers = machine.members.cards.due(committed, at: now)
        guard !numbers.isEmpty else { return }
        for number in numbers {
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
        let card = conversation.keys.card(
            number: count,
            name: machine.configuration.deviceName,
            isLeaving: isLeaving,
            random: &machine.random,
            using: machine.crypto
        )
        guard let card else { return }
        machine.members.cards[number].made(card, at: now)
        machine.members.pass([.card(card)], in: number, besides: nil, &machine.links)
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
        let (number, keys) = (conversation.number, conversation.keys)
        let (id, via) = (machine.links[link].id, machine.links[link].device)
        let writers = Set(conversation.origins.values.map(\.device))
        var news: [MemberEntry] = []
        for card in cards {
            let device = DeviceID(publicKey: card.key, using: machine.crypto)
            let isKnown =
                device == via || writers.contains(device)
                || machine.members.known[number]?[device] != nil
            guard device != machine.device,
                machine.members.cards[number]
                    .wants(card, of: device, isKnown: isKnown, on: id)
            else { continue }
            guard card.isSigned(in: conversation.record.id, using: machine.crypto) else {
                throw .badProof
            }
            // A relay passes on what only readers can check.
            let proven = keys.proves(card, of: device, using: machine.crypto)
            guard proven != false else { continue }
            let held = CardTable.Held(
                card: card,
                name: keys.name(in: card, of: device, using: machine.crypto),
                cameAt: machine.step.now,
                via: via,
                isProven: proven == true
            )
            if machine.members.cards[number].keep(held, of: device, at: machine.step.now) {
                news.append(.card(card))
            } else {
                machine.members.cards[number].gather(device, at: machine.step.now)
            }
            if proven == true {
                let known = KnownDevice(
                    device: device,
                    key: card.key,
                    role: card.role,
                    generation: card.generation
                )
                machine.members.learn(known, in: number, &machine.step)
            }
        }
        guard !news.isEmpty else { return }
        machine.members.pass(news, in: number, besides: id, &machine.links)
        machine.step.deliver(.admissions(conversation: number))
    }
}
