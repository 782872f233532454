import ParleyCore
import ParleyKeys

/// The content of `Tests/Vectors/keys.json`; all bytes are written as hexadecimal digits.
struct KeyVectors: Codable, Equatable {
    var devices: [Device]
    var conversations: [Conversation]
    var openConversations: [OpenConversation]

    struct Device: Codable, Equatable {
        var seed: String
        var publicKey: String
        var id: String
        var text: String
        var short: String
        var pem: String
    }

    struct Conversation: Codable, Equatable {
        var writerSeed: String
        var publicWriteKey: String
        var readKey: String
        var relayKey: String
        var id: String
        var name: String
        /// The invites by role.
        var invites: [String: String]
        /// W's signature over the device of the same index in `devices`.
        var certificates: [String]
    }

    struct OpenConversation: Codable, Equatable {
        var name: String
        var nameBytes: String
        var writerSeed: String
        var publicWriteKey: String
        var id: String
        var invites: [String: String]
    }
}

extension KeyVectors {
    /// Two pairs of them are canonically equivalent and yet different names.
    private static let openNames = [
        "lobby", "Lobby", "caf\u{e9}", "cafe\u{301}", "\u{c5}", "\u{212b}",
    ]

    /// The vectors as this program computes them.
    init() throws {
        let devices = [
            DeviceKey(seed: counting(from: 0)), DeviceKey(seed: counting(from: 0xe0)),
            DeviceKey(seed: .zero),
        ]
        self.devices = devices.map(Device.init)
        conversations = [
            try Conversation(seed: counting(from: 0x20), name: "chess", devices: devices),
            try Conversation(seed: .zero, name: "\u{e9}t\u{e9} \u{1f3b2}", devices: devices),
        ]
        openConversations = try Self.openNames.map { try OpenConversation(name: $0) }
    }
}

extension KeyVectors.Device {
    init(_ key: DeviceKey) {
        seed = Hexadecimal.text(key.rawPrivateKey)
        publicKey = key.publicKey.hex
        id = key.id.hex
        text = key.id.text
        short = key.id.shortText
        pem = key.pem
    }
}

extension KeyVectors.Conversation {
    init(seed: Bytes32, name: String, devices: [DeviceKey]) throws {
        let capability = Capability(writerSeed: seed)
        writerSeed = seed.hex
        publicWriteKey = capability.publicWriteKey.hex
        readKey = capability.readKey?.hex ?? ""
        relayKey = capability.relayKey.hex
        id = capability.conversationID.hex
        self.name = name
        invites = try inviteTexts(capability, name: name)
        certificates = try devices.map { Hexadecimal.text(try capability.certify($0.id).bytes) }
    }
}

extension KeyVectors.OpenConversation {
    init(name: String) throws {
        let capability = Capability(openConversation: try ConversationName(name))
        self.name = name
        nameBytes = Hexadecimal.text(Array(name.utf8))
        writerSeed = capability.writerSeed?.hex ?? ""
        publicWriteKey = capability.publicWriteKey.hex
        id = capability.conversationID.hex
        invites = try inviteTexts(capability, name: name)
    }
}

private func inviteTexts(_ capability: Capability, name: String) throws -> [String: String] {
    let invite = try InviteLink(capability, name: ConversationName(name))
    let pairs = try Capability.Role.allCases.map { ("\($0)", try invite.limited(to: $0).text) }
    return Dictionary(uniqueKeysWithValues: pairs)
}
