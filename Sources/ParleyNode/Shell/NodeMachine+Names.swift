import ParleyCore

extension String {
    /// A foreign name, with a replacement character for each hidden or direction-changing scalar.
    package var shownName: String { PrintableText.replaced(self) }
}

extension PersonOfDevice {
    /// The person as people see it; nil if nothing of the name can be shown.
    init?(_ person: Person) {
        let name = person.name.printable
        guard !name.isEmpty else { return nil }
        self.init(id: person.key.hex, name: name)
    }

    /// The person to whom a device belongs; nil if unknown.
    init?(of known: KnownDevice, in machine: NodeMachine) {
        let isOwn = known.device == machine.device
        guard let person = isOwn ? machine.members.cards.person : known.person else { return nil }
        self.init(person)
    }
}

extension NodeMachine {
    /// The printable name of a device, nil if the device never sent one.
    func printableName(of device: DeviceID) -> String? {
        guard let name = name(of: device)?.printable, !name.isEmpty else { return nil }
        return name
    }

    /// The members of a conversation that have shown a card with their role.
    func carded(in conversation: ParleyCore.Conversation) -> [DeviceID] {
        let held = members.cards[conversation.number].held.filter(\.value.isProven)
        guard !held.isEmpty, !conversation.generations.arePlain else { return Array(held.keys) }
        return members.list(conversation, crypto).map(\.device).filter { held[$0] != nil }
    }

    /// The name of a conversation on this node.
    func conversationName(_ number: UInt32) -> String { conversations.record(number)?.name ?? "?" }
}
