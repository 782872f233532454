/// The proofs of membership that both sides of a link have sent.
package struct Membership: Sendable {
    /// The peer's tags with their indices, which are the peer's numbers of the conversations.
    private var peerTags: [Bytes16: UInt32] = [:]
    /// The tags expected from the peer, by conversation, each computed once for all frames.
    var expected: [UInt32: Bytes16] = [:]
    /// Own numbers by conversation, in the order in which they were sent; nil is padding.
    package private(set) var ownNumbers: [UInt32?] = []

    /// The number of tags that the peer has sent.
    package var peerTagCount: Int { peerTags.count }

    /// Keeps tags that the peer sent, in groups as `ConversationTags` reads them.
    ///
    /// - Throws: `.overLimit` for more tags than a link may have, `.contradictory` for a tag that
    ///   came before: a conversation would have two numbers.
    package mutating func received(_ tags: [Bytes16]) throws(Refusal) {
        guard peerTags.count + tags.count <= Limits.conversationTags else {
            throw .overLimit("tags of conversations")
        }
        for tag in tags {
            let number = UInt32(peerTags.count)
            guard peerTags.updateValue(number, forKey: tag) == nil else {
                throw .contradictory("a tag that was sent twice")
            }
        }
    }

    /// The peer's number of the conversation with this tag of the peer.
    package func peerNumber(of tag: Bytes16) -> UInt32? {
        peerTags[tag]
    }

    /// This side's number of a conversation, if its tag was sent.
    package func ownNumber(of conversation: UInt32) -> UInt32? {
        ownNumbers.firstIndex(of: conversation).map(UInt32.init)
    }

    /// The tags to send for further conversations, padded with random tags to whole groups.
    ///
    /// The result is nil if there are none, but the first call always returns a group.
    package mutating func tagsToSend(
        for conversations: [(number: UInt32, tag: Bytes16)],
        random: inout some RandomNumberGenerator
    ) -> ConversationTags? {
        let unsent = conversations.filter { ownNumber(of: $0.number) == nil }
        guard !unsent.isEmpty || ownNumbers.isEmpty else { return nil }
        var tags = unsent.map(\.tag)
        ownNumbers += unsent.map { Optional($0.number) }
        let group = Limits.conversationGroup
        while tags.isEmpty || !tags.count.isMultiple(of: group) {
            tags.append(Bytes16(random.next(), random.next()))
            ownNumbers.append(nil)
        }
        return ConversationTags(tags: tags)
    }
}
