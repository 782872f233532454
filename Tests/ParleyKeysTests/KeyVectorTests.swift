import Foundation
import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/keys.json` holds the vectors for checking other implementations.
///
/// `PARLEY_TEST_WRITE_VECTORS=1 swift test --filter KeyVectorTests` writes it anew;
/// `Tests/Vectors/check_keys.py` checks it with other code.
@Suite struct KeyVectorTests {
    private let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Vectors/keys.json")

    @Test func reproducesTheFile() throws {
        let computed = try KeyVectors()
        if ProcessInfo.processInfo.environment["PARLEY_TEST_WRITE_VECTORS"] == "1" {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (encoder.encode(computed) + Data("\n".utf8)).write(to: file)
        }
        let stored = try JSONDecoder().decode(KeyVectors.self, from: Data(contentsOf: file))
        #expect(stored.devices == computed.devices)
        #expect(stored.conversations == computed.conversations)
        #expect(stored.openConversations == computed.openConversations)
    }

    /// The worked examples of the specification are the first vectors.
    @Test func showsTheFirstVectorsInTheSpecification() throws {
        let specification = file.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/protocol.md")
        let text = try String(contentsOf: specification, encoding: .utf8)
            .filter { !$0.isWhitespace && $0 != "`" }
        let vectors = try KeyVectors()
        let device = try #require(vectors.devices.first)
        let conversation = try #require(vectors.conversations.first)
        let open = try #require(vectors.openConversations.first)
        let shown =
            [device.publicKey, device.id, device.text, device.short]
            + [conversation.publicWriteKey, conversation.readKey, conversation.relayKey]
            + [conversation.id, conversation.certificates[0], open.writerSeed]
            + [open.publicWriteKey, open.id] + conversation.invites.values
        for value in shown { #expect(text.contains(value), "\(value)") }
        for link in conversation.invites.values {
            let encoded = link.dropFirst("parley:".count).replacing("-", with: "+")
                .replacing("_", with: "/")
            let padding = String(repeating: "=", count: (4 - encoded.count % 4) % 4)
            let content = try #require(Data(base64Encoded: encoded + padding))
            #expect(text.contains(Hexadecimal.text(Array(content))), "\(link)")
        }
    }

    @Test func readsTheTextsOfTheFile() throws {
        let stored = try JSONDecoder().decode(KeyVectors.self, from: Data(contentsOf: file))
        for device in stored.devices {
            #expect(try DeviceID(parsing: device.text).hex == device.id)
            #expect(try DeviceKey(pem: Array(device.pem.utf8)).id.hex == device.id)
        }
        for conversation in stored.conversations {
            for (role, text) in conversation.invites {
                let invite = try InviteLink(parsing: text)
                #expect("\(invite.role)" == role)
                #expect(invite.capability.conversationID.hex == conversation.id)
                #expect(invite.name.text == conversation.name)
            }
        }
        for conversation in stored.openConversations {
            for (role, text) in conversation.invites {
                let invite = try InviteLink(parsing: text)
                #expect(invite.isOpen && "\(invite.role)" == role)
                #expect(invite.capability.conversationID.hex == conversation.id)
                #expect(Hexadecimal.text(invite.name.utf8) == conversation.nameBytes)
            }
        }
    }
}
