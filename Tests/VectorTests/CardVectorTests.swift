import ParleyCore
import ParleyKeys
import TestSupport
import Testing

/// `Tests/Vectors/cards.json`: the card of the second device as a writer, a reader and a relay.
@Suite struct CardVectorTests {
    @Test func reproducesTheFile() throws {
        let computed = try CardVectors(World())
        let stored = try VectorFile<CardVectors>(name: "cards.json").read(writing: computed)
        #expect(stored == computed)
    }

    @Test func theFirstDeviceReadsThem() throws {
        let world = World()
        for role in CardVectors.roles {
            let card = try CardVectors.card(of: role, world)
            let read = try MemberEntry(kind: 5, packed: Slice(card.packed))
            #expect(read == .card(card))
            let keys = try CardVectors.keys(of: 0, as: .reader, world)
            let (device, crypto) = (world.devices[1].id, world.crypto(0))
            #expect(keys.proves(card, of: device, using: crypto) == true)
            let text = keys.text(of: card, by: device, using: crypto)
            #expect(text == CardVectors.text(of: role, world))
        }
    }
}

/// The content of `Tests/Vectors/cards.json`; all bytes as hexadecimal digits.
struct CardVectors: Codable, Equatable {
    var conversation: String
    var readKey: String
    var device: String
    var name: String
    /// The person of the writer's card.
    var person: Person
    var cards: [Row]

    struct Row: Codable, Equatable {
        var role: Int
        var number: UInt64
        var isLeaving: Bool
        var age: UInt32
        var packed: String
    }

    struct Person: Codable, Equatable {
        var key: String
        var name: String
    }

    static let name = "Küche"
    static let roles: [Capability.Role] = [.writer, .reader, .relay]

    init(_ world: World) throws {
        conversation = world.conversation.hex
        readKey = (world.capability.readKey ?? .zero).hex
        device = world.devices[1].publicKey.hex
        name = Self.name
        let person = Self.person(world)
        self.person = Person(key: person.key.hex, name: person.name)
        cards = try Self.roles.map { role in
            let card = try Self.card(of: role, world)
            return Row(
                role: Int(card.role.rawValue),
                number: card.number,
                isLeaving: card.isLeaving,
                age: card.age,
                packed: Hexadecimal.text(card.packed)
            )
        }
    }

    /// The person whose device is the second one.
    private static func person(_ world: World) -> ParleyCore.Person {
        PersonSecret(seed: thirtyTwo(from: 0x60), number: 1, since: 0, name: "Ada")
            .person(of: world.devices[1].id)
    }

    /// The text on the card of a role; that of the writer names the person.
    static func text(of role: Capability.Role, _ world: World) -> CardText {
        CardText(name: name, person: role == .writer ? person(world) : nil)
    }

    /// The card of a role; that of the relay says that the device stops.
    static func card(of role: Capability.Role, _ world: World) throws -> Card {
        var random = SeededRandom(seed: UInt64(role.rawValue))
        let card = try keys(of: 1, as: role, world).card(
            number: 4_096 + UInt64(role.rawValue),
            text: text(of: role, world),
            isLeaving: role == .relay,
            random: &random,
            using: world.crypto(1)
        )
        var made = try #require(card)
        made.age = role == .reader ? 61 : 0
        return made
    }

    static func keys(
        of device: Int,
        as role: Capability.Role,
        _ world: World
    ) throws -> ConversationKeys {
        let crypto = world.crypto(device)
        let secret = try #require(world.capability.secret(of: role))
        let record = ConversationRecord(
            number: 1,
            id: world.conversation,
            name: "chess",
            isOpen: false,
            capability: Capability(
                secret,
                as: role,
                publicWriteKey: world.capability.publicWriteKey,
                using: crypto
            ),
            certificate: role == .writer
                ? try world.capability.certify(world.devices[device].id) : nil
        )
        return Conversation(
            recovered: RecoveredConversation(record: record),
            device: world.devices[device].id,
            epoch: world.epochs[device],
            limits: Limits(),
            using: crypto
        ).keys
    }
}
