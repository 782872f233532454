import ParleyCore
import ParleyKeys
import ParleyNode
import Testing

/// The name and keys of a conversation follow from what a person types.
@Suite struct NewConversationTests {
    private static let creator = Bytes32(1, 2, 3, 4)

    @Test func aCreatedConversationHasTheNameInNormalForm() throws {
        let one = try NewConversation(named: " cafe\u{301} ", by: Self.creator)
        #expect(Array(one.name.utf8) == Array("caf\u{e9}".utf8))
        #expect(!one.isOpen)
        let other = try NewConversation(named: "caf\u{e9}", by: Self.creator)
        #expect(one.capability != other.capability, "each has its own keys")
    }

    @Test(arguments: [
        "", " ", ".", "..", "\u{3164}", "a\u{202d}b", String(repeating: "a", count: 999),
    ])
    func aNameThatNobodyCouldTypeIsRefused(name: String) throws {
        #expect(throws: NodeError.self) { try NewConversation(named: name, by: Self.creator) }
        #expect(throws: NodeError.self) { try NewConversation(invitedBy: "open:chess", as: name) }
    }

    @Test func anOpenConversationFollowsFromItsName() throws {
        let composed = try NewConversation(invitedBy: "open:caf\u{e9}", as: nil)
        let decomposed = try NewConversation(invitedBy: "open:cafe\u{301}", as: nil)
        #expect(composed.capability == decomposed.capability)
        #expect(composed.isOpen && composed.name == "open:caf\u{e9}")
        #expect(try NewConversation(invitedBy: "open:chess", as: "mine").name == "mine")
        try composed.checkPrefix()
    }

    @Test func onlyAnOpenConversationIsNamedLikeOne() throws {
        let closed = try NewConversation(named: "open:chess", by: Self.creator)
        #expect(throws: NodeError.self) { try closed.checkPrefix() }
        try NewConversation(named: "chess", by: Self.creator).checkPrefix()
    }

    @Test func anInviteHasTheBareName() throws {
        #expect(try NewConversation.invitedName("open:chess").text == "chess")
        #expect(try NewConversation.invitedName("chess").text == "chess")
    }

    @Test func aRelayJoinsWithTheKeysOfARelayOnly() throws {
        let made = try NewConversation(named: "chess", by: Self.creator)
        let name = try NewConversation.invitedName(made.name)
        let writer = InviteLink(made.capability, of: .creator(Self.creator), name: name).text
        let relay = try InviteLink(made.capability, of: .creator(Self.creator), name: name)
            .limited(to: .relay).text
        #expect(throws: NodeError.relayOnly) {
            try NewConversation(invitedBy: writer, as: nil, relaysOnly: true)
        }
        let joined = try NewConversation(invitedBy: relay, as: nil, relaysOnly: true)
        #expect(joined.name == "chess" && !joined.isOpen)
        #expect(joined.id == made.id)
    }

    @Test func whatIsNoInviteIsRefused() {
        for link in ["", "chess", "parley:", "open:"] {
            #expect(throws: NodeError.self, "\(link)") {
                try NewConversation(invitedBy: link, as: nil)
            }
        }
    }

    @Test func aNameThatIsTakenGetsANumberAfterAPairing() throws {
        let created = try NewConversation(named: "games", by: Self.creator)
        let name = try NewConversation.invitedName(created.name)
        let invite = Slice(Array(InviteLink(created.capability, name: name).text.utf8))
        let taken: Set = ["games", "games 2"]
        let new = try NewConversation(pairedBy: invite, isTaken: taken.contains)
        #expect(new.name == "games 3" && new.capability == created.capability)
        #expect(try NewConversation(pairedBy: invite) { _ in false }.name == "games")
        #expect(throws: NodeError.self) {
            try NewConversation(pairedBy: Slice([0xff])) { _ in false }
        }
    }
}
