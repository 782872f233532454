import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/members.json`: records of generations with their boxes, vouches, and the lines of
/// sets of records.
@Suite struct MembersVectorTests {
    @Test func reproducesTheFile() throws {
        let computed = try MembersVectors(GenerationWorld())
        let stored = try VectorFile<MembersVectors>(name: "members.json").read(writing: computed)
        #expect(stored == computed)
    }

    @Test func recordsAreReadAsWritten() throws {
        let world = GenerationWorld()
        let entries = try MembersVectors.entries(world)
        for entry in entries {
            let read = try MemberEntry(kind: entry.kind, packed: Slice(entry.packed))
            #expect(read == entry)
        }
        var generations = world.generations
        for entry in entries { _ = try generations.add(entry, using: world.crypto(0)) }
        generations.settle(using: world.crypto(0))
        #expect(generations.line.count == 1 && generations.vouches.all.count == 1)
    }
}

/// The content of `Tests/Vectors/members.json`; all bytes as hexadecimal digits.
struct MembersVectors: Codable, Equatable {
    var birth: Birthday
    var generation: Made
    var vouch: Vouched
    /// The body of a `members` frame with birth, generation, admission and vouch.
    var frame: String
    var lines: [Tree]

    struct Birthday: Codable, Equatable {
        var writeKey: String
        var creator: String
        var conversation: String
    }

    struct Made: Codable, Equatable {
        var parentSeed: String
        var seed: String
        var ephemeral: String
        var stays: [Stays]
        var record: String
        var boxes: String
        var id: String
        var sum: String
    }

    struct Stays: Codable, Equatable {
        var deviceSeed: String
        var role: Int
    }

    struct Vouched: Codable, Equatable {
        var record: String
        var id: String
    }

    /// A set of records in the order of their numbers, and the line that follows from the set.
    struct Tree: Codable, Equatable {
        var name: String
        var records: [String]
        var line: [String]
    }

    init(_ world: GenerationWorld) throws {
        let crypto = world.crypto(0)
        birth = Birthday(
            writeKey: world.birth.publicWriteKey.hex,
            creator: world.crypto(0).devicePublicKey.hex,
            conversation: world.conversation.hex
        )
        let entries = try Self.entries(world)
        guard case .generation(let record, let boxes?) = entries[1],
            case .vouch(let voucher) = entries[3]
        else { throw CodecError.outOfRange }
        let id = record.statement.id(using: crypto)
        generation = Made(
            parentSeed: world.seed.hex,
            seed: thirtyTwo(from: 0x10).hex,
            ephemeral: thirtyTwo(from: 0x90).hex,
            stays: world.roles.enumerated().map { device, role in
                Stays(deviceSeed: world.seeds[device].hex, role: Int(role.rawValue))
            },
            record: Hexadecimal.text(record.encoded),
            boxes: Hexadecimal.text(boxes.packed),
            id: id.hex,
            sum: crypto.sha256(Array("parley member 1".utf8) + [1] + id.bytes).hex
        )
        vouch = Vouched(
            record: Hexadecimal.text(voucher.packed),
            id: voucher.id(using: crypto).hex
        )
        var bytes: [UInt8] = []
        Frame.members(MembersFrame(conversation: 1, records: entries, sum: 7)).append(to: &bytes)
        frame = Hexadecimal.text(bytes)
        lines = try world.trees().map { name, generations in
            Tree(
                name: name,
                records: generations.records.map {
                    Hexadecimal.text($0.generation.record.encoded)
                },
                line: generations.line.map(\.hex)
            )
        }
    }

    /// Birth, the first change of keys, an admission, and a vouch for a former member.
    static func entries(_ world: GenerationWorld) throws -> [MemberEntry] {
        var generations = world.generations
        let made = try generations.rotate(
            by: world.terms(parent: generations.first, by: 0, seed: thirtyTwo(from: 0x10)),
            using: world.crypto(0)
        )
        let vouch = Vouch(
            for: [sixteen(from: 0x70), sixteen(from: 0x60)],
            of: OriginID(sixteen(from: 0x30)),
            in: world.conversation,
            at: made.id,
            writeSeed: Capability.writeSeed(thirtyTwo(from: 0x10), using: world.crypto(0)),
            using: world.crypto(0)
        )
        return [
            .birth(world.birth), .generation(made.record, made.boxes),
            .admission(world.path(1)[0]), .vouch(vouch),
        ]
    }
}
