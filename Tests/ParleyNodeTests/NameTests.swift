import ParleyCore
import ParleyKeys
import ParleyNode
import TestSupport
import Testing

/// Names of conversations and devices in a running node.
@Suite(.timeLimit(.minutes(5)))
struct NameTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    /// Regression: a name that `createConversation` took as there already was not found by others.
    @Test func whatLooksTheSameIsTheSame() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        let made = try await node.createConversation(named: Self.decomposed + " ")
        #expect(Array(made.name.utf8) == Array(Self.composed.utf8))
        let sent = try await node.send(Draft("?move=1"), to: Self.decomposed)
        for name in [Self.composed, Self.decomposed, " \(Self.composed)"] {
            #expect(try await node.urls(name) == ["?move=1"])
            #expect(try await node.conflicts(in: name).isEmpty)
            #expect(try await node.session(sent.session, in: name).shown.id == sent.id)
            #expect(try await node.invite(to: name).conversation == made.name)
            await #expect(throws: NodeError.self) {
                try await node.createConversation(named: name)
            }
        }
        try await node.leaveConversation(named: Self.decomposed, force: true)
        #expect(try await node.conversations().isEmpty)
        await nodes.stopAll()
    }

    /// Two people who type the same open name are in the same conversation.
    @Test func anOpenNameMeansTheSameHoweverItIsTyped() async throws {
        let nodes = try TestNodes()
        let (one, _) = try await nodes.start("one")
        let (two, _) = try await nodes.start("two")
        let first = try await one.join("open:" + Self.composed)
        let second = try await two.join("open:" + Self.decomposed)
        #expect(first.id == second.id)
        #expect(try await two.invite(to: second.name).link == "open:" + Self.composed)
        await #expect(throws: NodeError.alreadyJoined(as: first.name, .writer)) {
            try await one.join("open:" + Self.decomposed)
        }
        #expect(
            try await one.join("open:\u{212b}", as: "a").id == two.join("open:\u{c5}", as: "a").id
        )
        for name in [".", "..", "\u{3164}", "a\u{202d}b"] {
            await #expect(throws: NodeError.self, "\(name)") { try await one.join("open:" + name) }
        }
        await nodes.stopAll()
    }

    /// The name that another node gave its conversation never keeps one from joining it.
    @Test func aNameOfAnotherNodeIsAdapted() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.start("one")
        for (name, own) in [
            ("..", "conversation"), ("x\u{200b}y", "xy"), (Self.decomposed, "café"),
        ] {
            var random = SystemRandomNumberGenerator()
            let capability = Capability.newConversation(using: &random)
            let invite = InviteLink(capability, name: try ConversationName(name))
            #expect(try await node.join(invite.text).name == own)
        }
        // An open conversation whose name nobody can type any more is passed on by its keys.
        let old = InviteLink(openConversation: try ConversationName(Self.decomposed))
        let reader = try await node.join(try old.limited(to: .reader).text, as: "old")
        #expect(reader.isOpen)
        let handed = try await node.invite(to: "old", role: .reader).link
        #expect(try InviteLink(parsing: handed).conversationID.description == reader.id)
        await nodes.stopAll()
    }

    @Test func theNameOfADeviceFollowsTheSameRule() async throws {
        let nodes = try TestNodes()
        var settings = nodes.settings("one")
        for name in ["", "   ", "\u{3164}", "..", "a\u{202e}b"] {
            settings.name = name
            #expect(throws: NodeError.self, "\(name)") { try settings.validate() }
        }
        settings.name = " Ku\u{308}che "
        #expect(try await nodes.start(settings).1.name == "K\u{fc}che")
        await nodes.stopAll()
    }

    @Test func noNodeIsDialledAtPortZero() throws {
        var settings = try TestNodes().settings("one")
        settings.peers = ["192.0.2.1:0"]
        let reason = "\"192.0.2.1:0\" has port 0, at which no node can be reached"
        #expect(throws: NodeError.badSetting(reason)) {
            try settings.validate()
        }
    }
}
