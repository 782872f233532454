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
}
