import ParleyCore
import ParleyFaults
import Testing

/// A link takes frames from its peer and shares conversations with it.
@Suite struct SingleLinkTests {
    private let now = Moment.start
    private let one = SampleConversation().conversation

    // MARK: Frames

    private func bytes(bodyCount: Int) -> Slice {
        var bytes: [UInt8] = []
        FrameHeader(length: bodyCount, type: 2).append(to: &bytes)
        return Slice(bytes + [UInt8](repeating: 7, count: bodyCount))
    }

    private func expectTakes(_ countMax: Int, _ link: Link) throws {
        var link = link
        link.received(bytes(bodyCount: countMax), at: now)
        #expect(try link.nextFrame()?.body.count == countMax)
        #expect(try link.nextFrame() == nil)
        link.received(bytes(bodyCount: countMax + 1), at: now)
        #expect(throws: ParleyCore.Refusal.malformed(.tooLong)) { try link.nextFrame() }
    }

    @Test func strangersSendShortFrames() throws {
        try expectTakes(Limits.strangerFrameBytes, Link(1))
        try expectTakes(Limits.strangerFrameBytes, Link(1).greeted())
    }

    @Test func membersSendLongFrames() throws {
        try expectTakes(Limits.frameBytes, Link(1).greeted(sharing: [one]))
    }

    @Test func bytesAreAnAnswer() {
        var link = Link(1).greeted(sharing: [one]).suspected(at: now)
        #expect(link.isSuspect)
        #expect(!link.isLive)
        link.received(Slice([0]), at: now + .seconds(1))
        #expect(!link.isSuspect)
        #expect(link.isLive)
    }

    // MARK: Membership

    /// Both ends of one connection that were greeted.
    private func ends() -> (dialler: Link, answerer: Link) {
        (Link(1, to: 2, dial: DialID(1)).greeted(), Link(1, to: 1).greeted())
    }

    @Test func bothSidesMatchAConversationThatBothHave() throws {
        var (dialler, answerer) = ends()
        var random = SeededRandom(seed: 1)
        let crypto = SampleConversation.node
        let other = SampleConversation.other(2)
        let dialled = try #require(
            dialler.tagsToSend(for: [other, one], using: crypto, random: &random)
        )
        try answerer.membership.received(dialled.tags)
        // The answerer has told nothing yet.
        #expect(answerer.match(one, using: crypto) == nil)
        let answered = try #require(
            answerer.tagsToSend(for: [one], using: crypto, random: &random)
        )
        try dialler.membership.received(answered.tags)
        let atDialler = dialler.match(one, using: crypto)
        #expect(atDialler?.own == 1)
        #expect(atDialler?.peer == 0)
        let atAnswerer = answerer.match(one, using: crypto)
        #expect(atAnswerer?.own == 0)
        #expect(atAnswerer?.peer == 1)
        #expect(dialler.match(other, using: crypto) == nil)
        #expect(answerer.match(other, using: crypto) == nil)
    }

    @Test func aTagSentBackProvesNothing() throws {
        var (dialler, _) = ends()
        var random = SeededRandom(seed: 1)
        let crypto = SampleConversation.node
        let tags = try #require(dialler.tagsToSend(for: [one], using: crypto, random: &random))
        try dialler.membership.received(tags.tags)
        #expect(dialler.match(one, using: crypto) == nil)
    }

    /// A tag that comes twice, in one frame or in two, would give a conversation two numbers.
    @Test func aTagThatComesTwiceIsRefused() throws {
        var link = Link(1).greeted()
        let tags = (0..<UInt64(16)).map { Bytes16($0, 0) }
        try link.membership.received(Array(tags[..<8]))
        for more in [[tags[8], tags[3]], [tags[9], tags[9]]] {
            var again = link
            #expect(throws: ParleyCore.Refusal.contradictory("a tag that was sent twice")) {
                try again.membership.received(more)
            }
        }
        try link.membership.received(Array(tags[8...]))
        #expect(link.membership.peerNumber(of: tags[3]) == 3)
        #expect(link.membership.peerNumber(of: tags[15]) == 15)
    }

    @Test func tagsComeInGroupsAndEachOnce() throws {
        var link = Link(1).greeted()
        var random = SeededRandom(seed: 1)
        let crypto = SampleConversation.node
        let none = link.tagsToSend(for: [], using: crypto, random: &random)
        #expect(none?.tags.count == Limits.conversationGroup)
        let nothing = link.tagsToSend(for: [], using: crypto, random: &random)
        #expect(nothing == nil)
        let some = link.tagsToSend(for: [one], using: crypto, random: &random)
        #expect(some?.tags.count == Limits.conversationGroup)
        let again = link.tagsToSend(for: [one], using: crypto, random: &random)
        #expect(again == nil)
        #expect(link.membership.ownNumber(of: 1) == UInt32(Limits.conversationGroup))
    }

    @Test func sharingMakesAMemberOnce() throws {
        var link = Link(1).greeted()
        link.share(one, (own: 3, peer: 0))
        #expect(link.isMember)
        link.share(SampleConversation.other(2), (own: 4, peer: 1))
        #expect(link.isMember)
        #expect(link.conversations == [1, 2])
        #expect(link.replication(of: 2) == 1)
        #expect(link.replication(of: 3) == nil)
        #expect(link.match(one, using: SampleConversation.node) == nil)
    }

    @Test func aNumberThatWasNeverAnnouncedIsRefused() throws {
        var link = Link(1).greeted()
        try link.membership.received((0..<UInt64(8)).map { Bytes16($0, 0) })
        link.share(one, (own: 0, peer: 2))
        #expect(try link.replication(ofPeerNumber: 2) == 0)
        #expect(try link.replication(ofPeerNumber: 7) == nil)
        let refusal = ParleyCore.Refusal.overLimit(
            "a conversation number that was never announced"
        )
        #expect(throws: refusal) { try link.replication(ofPeerNumber: 8) }
    }

    // MARK: Origins

    @Test func aPeerMayIntroduceSoManyUnusedOrigins() throws {
        var link = Link(1)
        let origins = (0..<4_098).map {
            IntroducedOrigin(conversation: 1, id: OriginID(writer: $0))
        }
        for origin in origins.prefix(4_096) { try link.introduces(origin) { _ in true } }
        let refusal = ParleyCore.Refusal.overLimit("origins without an envelope")
        #expect(throws: refusal) { try link.introduces(origins[4_096]) { _ in true } }
        #expect(link.introduced.count == 4_096)
        try link.introduces(origins[4_097]) { $0 != origins[5] }
        #expect(link.introduced.count == 4_096)
        #expect(link.introduced.last == origins[4_097])
        #expect(!link.introduced.contains(origins[5]))
    }
}
