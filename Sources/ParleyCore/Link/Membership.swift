/// The proofs of membership that both sides of a link have sent.
package struct Membership: Sendable {
    /// The peer's tags with their indices, which are the peer's numbers of the conversations.
    private var peerTags: [Bytes16: UInt32] = [:]
    /// The tags expected from the peer, by conversation, each computed once for all frames.
    var expected: [UInt32: Bytes16] = [:]
    /// Own numbers by conversation, in the order in which they were sent; nil is padding.
    package private(set) var ownNumbers: [UInt32?] = []
    /// The tags that were sent of conversations, by their indices.
    private var ownTags: [Bytes16: Int] = [:]

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

    /// The conversations whose generations of keys the peer was told.
    private var told: Set<UInt32> = []
    /// The tags of earlier keys, by conversation, each computed once for all frames.
    var outdated: [UInt32: [Bytes16]] = [:]

    /// Whether a peer that shares nothing may take a conversation for shared, as it does not know
    /// yet that the keys were changed.
    var mayBeBehind: Bool { !told.isEmpty }

    /// Whether the peer has yet to be told the generations of a conversation; the answer is yes
    /// once.
    mutating func tells(_ conversation: UInt32) -> Bool { told.insert(conversation).inserted }

    /// The line of a conversation is another one, to be told to peers that do not share it.
    mutating func forgetTold(_ conversation: UInt32) {
        told.remove(conversation)
        outdated[conversation] = nil
    }

    /// The keys of a conversation are other ones: a tag is to be proved and sent anew.
    mutating func renew(_ conversation: UInt32) {
        expected[conversation] = nil
        forgetTold(conversation)
        for index in ownNumbers.indices where ownNumbers[index] == conversation {
            ownNumbers[index] = nil
        }
    }

    /// The tags to send for further conversations, each with those of its earlier keys, padded with
    /// random tags to whole groups.
    ///
    /// The result is nil if there are none, but the first call always returns a group.
    package mutating func tagsToSend(
        for conversations: [(number: UInt32, tag: Bytes16, earlier: [Bytes16])],
        random: inout some RandomNumberGenerator
    ) -> ConversationTags? {
        let unsent = conversations.filter { ownNumber(of: $0.number) == nil }
        guard !unsent.isEmpty || ownNumbers.isEmpty else { return nil }
        var tags: [Bytes16] = []
        for conversation in unsent {
            for (place, tag) in ([conversation.tag] + conversation.earlier).enumerated() {
                let number = place == 0 ? conversation.number : nil
                if let index = ownTags[tag] {
                    // A tag never comes twice on a link.
                    ownNumbers[index] = number
                    continue
                }
                ownTags[tag] = ownNumbers.count
                ownNumbers.append(number)
                tags.append(tag)
            }
        }
        guard !tags.isEmpty || ownNumbers.isEmpty else { return nil }
        let group = Limits.conversationGroup
        while tags.isEmpty || !tags.count.isMultiple(of: group) {
            tags.append(Bytes16(random.next(), random.next()))
            ownNumbers.append(nil)
        }
        return ConversationTags(tags: tags)
    }
}
