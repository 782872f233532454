import ParleyCore
import ParleyKeys

/// A conversation of three devices, of which the first one is the creator and has let the others
/// in; the generations that they make.
struct GenerationWorld {
    let seeds = [thirtyTwo(from: 0), thirtyTwo(from: 0xe0), thirtyTwo(from: 0xa0)]
    let roles: [Capability.Role] = [.writer, .reader, .relay]
    /// S of the birth generation.
    let seed = thirtyTwo(from: 0x20)

    var capability: Capability { Capability(writerSeed: seed) }

    var birth: Birth {
        Birth(
            publicWriteKey: capability.publicWriteKey,
            creator: crypto(0).devicePublicKey
        )
    }

    var conversation: ConversationID { birth.conversationID(using: crypto(0)) }

    func crypto(_ device: Int) -> DeviceCryptography {
        DeviceCryptography(DeviceKey(seed: seeds[device]))
    }

    /// What a writer knows at the beginning.
    var generations: Generations {
        Generations(
            conversation: conversation,
            root: capability,
            creator: crypto(0).devicePublicKey,
            using: crypto(0)
        )
    }

    /// The admissions from the creator down to a device.
    func path(_ device: Int) -> [Admission] {
        guard device > 0 else { return [] }
        let id = DeviceKey(seed: seeds[device]).id
        let number = UInt32(device)
        let signed = Admission.signedBytes(for: id, as: .writer, number: number, in: conversation)
        return [
            Admission(
                inviterKey: crypto(0).devicePublicKey,
                device: id,
                role: .writer,
                number: number,
                signature: crypto(0).sign(signed.span.bytes)
            )
        ]
    }

    func terms(
        parent: GenerationID,
        by device: Int,
        seed: Bytes32,
        without removed: [Int] = []
    ) -> RotationTerms {
        let stays = seeds.indices.filter { !removed.contains($0) }
            .map { index in
                let key = DeviceKey(seed: seeds[index])
                return KnownDevice(
                    device: key.id,
                    key: key.publicKey,
                    role: roles[index],
                    generation: nil
                )
            }
        return RotationTerms(
            parent: parent,
            path: path(device),
            stays: stays,
            seed: seed,
            ephemeral: thirtyTwo(from: 0x90)
        )
    }

    /// A record of a tree: the place of its parent among those before it, and who is left out.
    private typealias Branch = (parent: Int?, author: Int, without: [Int])

    private static let drawn: [(name: String, branches: [Branch])] = [
        ("one after the other", [(nil, 1, []), (0, 2, []), (1, 0, [2])]),
        ("the higher author", [(nil, 2, [1]), (nil, 1, [2]), (nil, 0, [])]),
        ("the earlier admission", [(nil, 2, [1]), (nil, 1, [2])]),
        ("the highest in the branch", [(nil, 1, [0]), (nil, 2, []), (1, 0, [1])]),
        ("an answer at an older parent", [(nil, 1, []), (0, 0, [1]), (nil, 1, [0])]),
        ("one device twice, once without itself", [(nil, 1, []), (nil, 1, [1])]),
        ("one device twice", [(nil, 1, [0]), (nil, 1, [2])]),
        (
            "two forks",
            [(nil, 1, []), (nil, 2, []), (0, 2, []), (0, 1, []), (1, 0, []), (1, 2, [])]
        ),
    ]

    /// Sets of records by name.
    func trees() throws -> [(name: String, generations: Generations)] {
        Self.drawn.map { name, branches in
            var generations = self.generations
            var ids: [GenerationID] = []
            for (number, branch) in branches.enumerated() {
                let known = Set(generations.generations.keys)
                // A record beside the line is refused by its own node, and yet among the others.
                _ = try? generations.rotate(
                    by: terms(
                        parent: branch.parent.map { ids[$0] } ?? generations.first,
                        by: branch.author,
                        seed: thirtyTwo(from: 0x11 &+ UInt8(number)),
                        without: branch.without
                    ),
                    using: crypto(branch.author)
                )
                ids += generations.generations.keys.filter { !known.contains($0) }
            }
            return (name, generations)
        }
    }
}
