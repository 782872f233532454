import ParleyCore
import ParleyKeys
import Testing

/// `Tests/Vectors/knock.json`: links of invites that end, proofs of knocks, and admissions.
@Suite struct KnockVectorTests {
    @Test func reproducesTheFile() throws {
        let computed = KnockVectors(World())
        let stored = try VectorFile<KnockVectors>(name: "knock.json").read(writing: computed)
        #expect(stored == computed)
    }

    @Test func linksAreReadAsWritten() throws {
        for link in KnockVectors.links(World()) {
            #expect(try KnockLink(parsing: link.text) == link)
        }
        #expect(try KnockLink(parsing: "open:lobby") == nil)
    }

    @Test func admissionsAreOfTheirConversation() throws {
        let world = World()
        let admission = KnockVectors.admission(world, number: 1)
        #expect(admission.isValid(in: world.conversation, using: world.crypto(0)))
        #expect(Admission(packed: Slice(admission.packed)) == admission)
        let other = ConversationID(thirtyTwo(from: 1))
        #expect(!admission.isValid(in: other, using: world.crypto(0)))
    }
}

/// The content of `Tests/Vectors/knock.json`; all bytes as hexadecimal digits.
struct KnockVectors: Codable, Equatable {
    var links: [Link]
    var knocks: [Knock]
    var admissions: [Admitted]

    struct Link: Codable, Equatable {
        var role: Int
        var token: String
        var conversation: String
        var device: String
        var number: Int
        var addresses: [String]
        var name: String
        var text: String
    }

    struct Knock: Codable, Equatable {
        var token: String
        var exporter: String
        var device: String
        var input: String
        var proof: String
    }

    struct Admitted: Codable, Equatable {
        var conversation: String
        var role: Int
        var number: Int
        var signed: String
        var record: String
        var digest: String
    }

    init(_ world: World) {
        links = Self.links(world).map(Link.init)
        let crypto = world.crypto(0)
        let (token, exporter) = (sixteen(from: 0x60), thirtyTwo(from: 0x20))
        let device = world.devices[1].id
        let input = Array("parley knock 1".utf8) + exporter.bytes + device.bytes
        let proof = KnockFrame.proof(of: token, on: exporter, by: device, using: crypto)
        knocks = [
            Knock(
                token: token.hex,
                exporter: exporter.hex,
                device: device.hex,
                input: Hexadecimal.text(input),
                proof: proof.hex
            )
        ]
        admissions = ([1, 258] as [UInt32]).map { number in
            let admission = Self.admission(world, number: number)
            let signed = Admission.signedBytes(
                for: admission.device,
                as: admission.role,
                number: number,
                in: world.conversation
            )
            let summed = Array("parley member 1".utf8) + [3] + admission.packed
            return Admitted(
                conversation: world.conversation.hex,
                role: Int(admission.role.rawValue),
                number: Int(number),
                signed: Hexadecimal.text(signed),
                record: Hexadecimal.text(admission.packed),
                digest: crypto.sha256(summed).hex
            )
        }
    }

    static func links(_ world: World) -> [KnockLink] {
        let addresses = ["192.0.2.7:27275", "[2001:db8::7]:27275"]
        return [(Capability.Role.writer, "chess", 2), (.reader, "caf\u{e9}", 1), (.relay, "x", 0)]
            .compactMap { role, name, count in
                guard let name = try? ConversationName(name) else { return nil }
                return KnockLink(
                    role: role,
                    token: sixteen(from: 0x60),
                    conversation: world.conversation,
                    device: world.devices[0].id,
                    number: 7,
                    addresses: Array(addresses.prefix(count)),
                    name: name
                )
            }
    }

    /// The first device lets the second one in.
    static func admission(_ world: World, number: UInt32) -> Admission {
        let crypto = world.crypto(0)
        let signed = Admission.signedBytes(
            for: world.devices[1].id,
            as: .writer,
            number: number,
            in: world.conversation
        )
        return Admission(
            inviterKey: crypto.devicePublicKey,
            device: world.devices[1].id,
            role: .writer,
            number: number,
            signature: crypto.sign(signed.span.bytes)
        )
    }
}

extension KnockVectors.Link {
    fileprivate init(_ link: KnockLink) {
        role = Int(link.role.rawValue)
        token = link.token.hex
        conversation = link.conversation.hex
        device = link.device.hex
        number = Int(link.number)
        addresses = link.addresses
        name = link.name.text
        text = link.text
    }
}
