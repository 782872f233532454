/// The keys with which a conversation began; the conversation ID commits to them.
///
/// So nobody can dispute who created a conversation. An open conversation has no creator, as its
/// keys follow from a public name; neither has one of an earlier version.
package struct Birth: Sendable, Hashable {
    /// The public half of the first W, raw Ed25519.
    package let publicWriteKey: Bytes32
    /// The raw Ed25519 key of the device that created the conversation.
    package let creator: Bytes32?

    package init(publicWriteKey: Bytes32, creator: Bytes32?) {
        self.publicWriteKey = publicWriteKey
        self.creator = creator
    }

    /// Reads `packed`; nil for another length.
    package init?(packed: Slice) {
        guard packed.count == Bytes32.count || packed.count == 2 * Bytes32.count else {
            return nil
        }
        publicWriteKey = Bytes32(reading: packed, at: 0)
        creator = packed.count > 32 ? Bytes32(reading: packed, at: 32) : nil
    }

    /// Public write key (32), and the creator's key (32) if there is one.
    package var packed: [UInt8] { publicWriteKey.bytes + (creator?.bytes ?? []) }

    /// SHA-256("parley birth 1" ‖ public write key ‖ creator's key); without a creator, SHA-256 of
    /// the public write key.
    package func conversationID(using crypto: some Cryptography) -> ConversationID {
        ConversationID(crypto.sha256(committed))
    }

    /// The bytes of which the conversation ID is the hash.
    package var committed: [UInt8] {
        (creator == nil ? [] : Array("parley birth 1".utf8)) + packed
    }
}
