package import ParleyValues

/// The members of a node's conversations, and other keys for those who stay.
package struct NodeKeys: Sendable {
    private let node: Node

    package init(of node: Node) { self.node = node }

    /// The members of a conversation, as far as their keys and roles are proven here: who stays
    /// when the keys are changed.
    ///
    /// - Throws: `unknownConversation`, `stopped`.
    package func members(of name: String) async throws(NodeError) -> [Member] {
        try await KeyRotation.members(of: name, on: node.running())
    }

    /// Changes the keys of a conversation, without some devices, which then read and write nothing
    /// new.
    ///
    /// - Parameters:
    ///   - name: The conversation.
    ///   - without: The names, IDs or beginnings of IDs of members.
    ///   - isDryRun: Whether to change nothing, and only return what would be so.
    /// - Returns: what is so now, which is on disk.
    /// - Throws: `unknownConversation`, `keys`, `ambiguousDevice`, `storeFull`, `storeFailed`,
    ///   `stopped`.
    package func change(
        of name: String,
        without: [String],
        isDryRun: Bool = false
    ) async throws(NodeError) -> KeyChange {
        let change = try await KeyRotation(name, without: without, on: node.running())
        return isDryRun
            ? try await change.expected(on: node.running())
            : try await change.carryOut(on: node.running())
    }

    /// The person to whom the device of this node belongs; nil while it is linked to no other one.
    ///
    /// - Throws: `stopped`.
    package func person() async throws(NodeError) -> PersonOfDevice? {
        try await OwnPerson.shown(on: node.running())
    }

    /// The IDs and names of the devices that are linked to this one.
    ///
    /// - Throws: `stopped`.
    package func linkedDevices() async throws(NodeError) -> [(id: String, name: String?)] {
        await OwnPerson.linked(on: try node.running())
    }

    /// Starts to link another device of the person here, or agrees to its request.
    ///
    /// The devices then share all conversations, and are shown as one person. Digits are compared
    /// as in a pairing.
    ///
    /// - Returns: the pairing; `events` and `pairings` of the node report its progress.
    /// - Throws: `unknownDevice`, `ambiguousDevice`, `pairingUnderWay`, `pairedOtherwise`,
    ///   `tooManyTries`, `relayOnly`, `badSetting` for too many devices, `storeFailed`, `stopped`.
    package func link(ownDevice device: String) async throws(NodeError) -> PairingState {
        try await OwnPerson.link(device, on: node.running())
    }

    /// Throws a device out of each conversation of this node, as `change` does for one.
    ///
    /// - Parameters:
    ///   - typed: The name, the ID or the beginning of the ID of a member or a linked device.
    ///   - isDryRun: Whether to change nothing, and only return what would be so.
    ///
    /// The key of the person here is replaced as well if the device may have the key; the person's
    /// remaining devices get the new one when they are linked again.
    ///
    /// - Returns: the conversations with the device, each with its new keys or the failure there.
    /// - Throws: `storeFailed` if the person's new key cannot be written, and so nothing is
    ///   changed; `unknownDevice` if no conversation has such a member, `ambiguousDevice`,
    ///   `badSetting` for the device of this node, `unknownConversation`, `stopped`.
    package func throwOut(
        _ typed: String,
        isDryRun: Bool = false
    ) async throws(NodeError) -> DeviceRemoval {
        try await DeviceRemoval(of: typed, isDryRun: isDryRun, on: node.running())
    }
}
