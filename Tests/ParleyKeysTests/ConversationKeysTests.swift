import ParleyCore
import ParleyKeys
import Testing

@Suite struct ConversationKeysTests {
    private let writer = Capability(writerSeed: counting(from: 0x20))
    private let device = DeviceKey(seed: counting(from: 1))

    /// Derives each key a second time, from the definition in `docs/protocol.md`.
    @Test func derivesEachKeyFromTheOneAbove() throws {
        let crypto = DeviceCryptography(device)
        func derive(_ key: Bytes32, _ label: String) -> Bytes32 {
            crypto.deriveKey(from: key, info: Array(label.utf8))
        }
        let seed = counting(from: 0x20)
        let writeKey = DeviceKey(seed: derive(seed, "parley write"))
        #expect(writer.publicWriteKey == writeKey.publicKey)
        #expect(writer.readKey == derive(seed, "parley read"))
        #expect(writer.relayKey == derive(derive(seed, "parley read"), "parley relay"))
        #expect(writer.conversationID.value == crypto.sha256(writeKey.publicKey.bytes))
    }

    @Test func keepsTheConversationInEveryRole() throws {
        let reader = try writer.readerCapability
        let relay = reader.relayCapability
        #expect([writer.role, reader.role, relay.role] == [.writer, .reader, .relay])
        for lower in [reader, relay, writer.relayCapability] {
            #expect(lower.conversationID == writer.conversationID)
            #expect(lower.relayKey == writer.relayKey)
            #expect(lower.writerSeed == nil)
        }
        #expect(reader.readKey == writer.readKey)
        #expect(relay.readKey == nil)
        #expect(relay == writer.relayCapability)
    }

    @Test func neverGoesUpward() throws {
        for held in Capability.Role.allCases {
            let capability = try writer.limited(to: held)
            for wanted in Capability.Role.allCases {
                if wanted <= held {
                    #expect(try capability.limited(to: wanted).role == wanted)
                } else {
                    let error = CapabilityError.roleTooLow(held: held, needed: wanted)
                    #expect(throws: error) { try capability.limited(to: wanted) }
                    #expect(error.message.contains("\(held)"))
                    #expect(error.hint.contains("\(wanted)"))
                }
            }
        }
        #expect(throws: CapabilityError.roleTooLow(held: .relay, needed: .reader)) {
            try writer.relayCapability.readerCapability
        }
    }

    @Test func certifiesADeviceForItsConversationOnly() throws {
        let crypto = DeviceCryptography(device)
        let certificate = try writer.certify(device.id)
        let signed = Array("parley device 1".utf8) + device.id.bytes
        #expect(Capability.certifiedBytes(device.id) == signed)
        #expect(crypto.verify(certificate, of: signed, by: writer.publicWriteKey))
        let other = Capability(writerSeed: counting(from: 0x21))
        #expect(!crypto.verify(certificate, of: signed, by: other.publicWriteKey))
        let stranger = Capability.certifiedBytes(DeviceID(.zero))
        #expect(!crypto.verify(certificate, of: stranger, by: writer.publicWriteKey))
    }

    @Test func certifiesNothingWithoutTheSeed() throws {
        for role in [Capability.Role.reader, .relay] {
            let capability = try writer.limited(to: role)
            #expect(throws: CapabilityError.roleTooLow(held: role, needed: .writer)) {
                try capability.certify(device.id)
            }
        }
    }

    @Test func makesADifferentConversationEachTime() {
        var random = SystemRandomNumberGenerator()
        let ids = (0..<8).map { _ in Capability.newConversation(using: &random).conversationID }
        #expect(Set(ids).count == ids.count)
    }

    @Test func givesAnOpenConversationToAllWhoKnowItsName() throws {
        let crypto = DeviceCryptography(device)
        let lobby = try ConversationName("lobby")
        let open = Capability(openConversation: lobby)
        #expect(open.writerSeed == crypto.sha256(Array("parley open 1lobby".utf8)))
        #expect(open == Capability(openConversation: try ConversationName("lobby")))
        #expect(open != Capability(openConversation: try ConversationName("Lobby")))
        #expect(open.relayCapability.isOpen(as: lobby))
        #expect(!writer.isOpen(as: lobby))
    }

    /// The composed and the decomposed form look alike and are equal as Swift strings, but they are
    /// different names.
    @Test func comparesNamesByTheirBytes() throws {
        let composed = try ConversationName("caf\u{e9}")
        let decomposed = try ConversationName("cafe\u{301}")
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Capability(openConversation: composed) != Capability(openConversation: decomposed))
    }

    @Test(arguments: [
        BadName("", .empty),
        BadName(String(repeating: "x", count: 65), .tooLong(bytes: 65)),
        BadName(String(repeating: "\u{e9}", count: 33), .tooLong(bytes: 66)),
        BadName("a\u{0}b", .forbidden("\u{0}")),
        BadName("a\nb", .forbidden("\n")),
        BadName("a\u{1b}[2J", .forbidden("\u{1b}")),
        BadName("a\u{7f}", .forbidden("\u{7f}")),
        BadName("a\u{9f}", .forbidden("\u{9f}")),
        BadName("a\u{2028}b", .forbidden("\u{2028}")),
        BadName("a\u{202e}b", .forbidden("\u{202e}")),
        BadName("a\u{2066}b", .forbidden("\u{2066}")),
        BadName(" a", .spaceAtEnd),
        BadName("a ", .spaceAtEnd),
        BadName(" ", .spaceAtEnd),
    ])
    func refusesNames(_ bad: BadName) {
        #expect(throws: bad.error) { try ConversationName(bad.text) }
        #expect(bad.error.message.hasSuffix(".") && bad.error.hint.hasSuffix("."))
    }

    @Test(arguments: [
        "a", "two words", "\u{e9}t\u{e9}", "\u{65e5}\u{672c}", "\u{1f468}\u{200d}\u{1f469}",
        String(repeating: "x", count: 64), "open:lobby", "~!@#$%^&*()",
    ])
    func acceptsNames(_ text: String) throws {
        #expect(try ConversationName(text).text == text)
    }
}

/// A text and the reason why it is not a name.
struct BadName: Sendable {
    let text: String
    let error: ConversationNameError

    init(_ text: String, _ error: ConversationNameError) {
        self.text = text
        self.error = error
    }
}
