/// What both sides of a link have proven about their conversations.
package struct Membership: Sendable {
    /// The peer's tags; the place is the peer's number of the conversation.
    package private(set) var peerTags: [Bytes16] = []
    /// Own numbers by conversation, in the order in which they were sent; nil is padding.
    package private(set) var ownNumbers: [UInt32?] = []

    /// Keeps what the peer sent.
    ///
    /// - Returns: false when it is over the limit or not whole groups.
    package mutating func received(_ tags: [Bytes16]) -> Bool {
        guard tags.count.isMultiple(of: Limits.conversationGroup), !tags.isEmpty,
            peerTags.count + tags.count <= Limits.conversationTags
        else { return false }
        peerTags += tags
        return true
    }

    /// The peer's number of the conversation whose tag, made by the peer, is `tag`.
    package func peerNumber(of tag: Bytes16) -> UInt32? {
        peerTags.firstIndex(of: tag).map(UInt32.init)
    }

    /// This side's number of a conversation, if it was told.
    package func ownNumber(of conversation: UInt32) -> UInt32? {
        ownNumbers.firstIndex(of: conversation).map(UInt32.init)
    }

    /// The tags to send for conversations that were not told yet, filled up with random ones to
    /// whole groups; nil when there is nothing to tell and something was told already.
    package mutating func tagsToSend(
        for conversations: [(number: UInt32, tag: Bytes16)],
        random: inout some RandomNumberGenerator
    ) -> ConversationTags? {
        let untold = conversations.filter { ownNumber(of: $0.number) == nil }
        guard !untold.isEmpty || ownNumbers.isEmpty else { return nil }
        var tags = untold.map(\.tag)
        ownNumbers += untold.map { Optional($0.number) }
        let group = Limits.conversationGroup
        while tags.isEmpty || !tags.count.isMultiple(of: group) {
            tags.append(Bytes16(random.next(), random.next()))
            ownNumbers.append(nil)
        }
        return ConversationTags(tags: tags)
    }
}
