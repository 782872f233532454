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
        return isDryRun ? change.expected : try await change.carryOut(on: node.running())
    }

    /// Throws a device out of each conversation of this node, as `change` does for one.
    ///
    /// - Parameters:
    ///   - typed: The name, the ID or the beginning of the ID of a member.
    ///   - isDryRun: Whether to change nothing, and only return what would be so.
    /// - Returns: the conversations with the device, each with its new keys or the failure there.
    /// - Throws: `unknownDevice` if no conversation has such a member, `ambiguousDevice`,
    ///   `badSetting` for the device of this node, `unknownConversation`, `stopped`.
    package func throwOut(
        _ typed: String,
        isDryRun: Bool = false
    ) async throws(NodeError) -> DeviceRemoval {
        try await DeviceRemoval(of: typed, isDryRun: isDryRun, on: node.running())
    }
}
