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

    /// The name of a conversation on this node.
    func conversationName(_ number: UInt32) -> String { conversation(number)?.record.name ?? "?" }
}
