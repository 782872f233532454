package import ParleyValues

/// A guest of this node: a person without a node, who writes in one conversation.
package struct Guest: Hashable, Sendable {
    /// The name of the conversation on this node.
    package let conversation: String
    /// The conversation ID, 64 hexadecimal digits.
    package let conversationID: String
    /// The number of the seat, 1 to 64.
    package let seat: Int
    package let participant: Participant
    /// SHA-256 of the secret of the guest's browser, 32 bytes.
    package let secretHash: [UInt8]

    /// The name that the guest gave.
    package var name: String { participant.name ?? "" }

    /// The most guests of a node in a conversation.
    package static let countMax = 64
}
