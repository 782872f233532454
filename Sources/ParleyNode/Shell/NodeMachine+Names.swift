import ParleyCore

extension String {
    /// A foreign name, with a replacement character for each hidden or direction-changing scalar.
    package var shownName: String { PrintableText.replaced(self) }
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
    func conversationName(_ number: UInt32) -> String { conversation(number)?.record.name ?? "?" }
}
