package import ParleyCore

/// A conversation whose keys are derived from a number, and the capabilities of its members.
package struct SimulatedConversation {
    package let name: String
    package let isOpen: Bool
    /// The key of the creator's device; without a creator, the ID follows from W.
    package let creator: Bytes32?
    private let writer: SimulatedCryptography
    private let seed: UInt64

    /// A conversation; equal numbers give equal keys.
    package init(
        _ seed: UInt64,
        name: String = "table",
        isOpen: Bool = false,
        creator: Bytes32? = nil
    ) {
        self.name = name
        self.isOpen = isOpen
        self.seed = seed
        self.creator = creator
        writer = SimulatedCryptography(seed: 1_000_000 + seed)
    }

    package var id: ConversationID {
        Birth(publicWriteKey: writeKey, creator: creator).conversationID(using: writer)
    }

    package var readKey: Bytes32 { capability(.reader).readKey ?? .zero }

    /// The keys of a role; with a creator they follow from S as in a real conversation.
    package func capability(_ role: Capability.Role) -> Capability {
        if creator != nil {
            let all = Capability(
                writerSeed,
                as: .writer,
                publicWriteKey: writeKey,
                using: writer
            )
            return Capability(
                all.secret(of: role) ?? .zero,
                as: role,
                publicWriteKey: writeKey,
                using: writer
            )
        }
        return Capability(
            publicWriteKey: writeKey,
            relayKey: Bytes32(seed, 1, 0, 0),
            readKey: role == .relay ? nil : Bytes32(seed, 2, 0, 0),
            writerSeed: role == .writer ? writerSeed : nil
        )
    }

    package func certificate(of device: DeviceID) -> Signature {
        let bytes = device.certifiedBytes
        guard creator != nil else { return writer.sign(bytes.span.bytes) }
        let writeSeed = Capability.writeSeed(writerSeed, using: writer)
        return writer.sign(bytes.span.bytes, bySeed: writeSeed)
    }

    /// The proof of one side of a link that the device is a member; the dialling side is 0.
    package func tag(exporter: Bytes32, side: UInt8, relayKey: Bytes32? = nil) -> Bytes16 {
        var message = exporter.bytes
        message.append(side)
        id.append(to: &message)
        return writer.hmac(message.span.bytes, key: relayKey ?? capability(.relay).relayKey)
            .prefix16
    }

    /// The record that a node of this role keeps.
    package func record(number: UInt32, role: Capability.Role, device: DeviceID)
        -> ConversationRecord
    {
        var record = ConversationRecord(
            number: number,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability(role),
            certificate: role == .writer ? certificate(of: device) : nil
        )
        record.creator = creator
        return record
    }

    /// Somebody at a node changes the keys, without other nodes.
    package func rotate(in world: World, by node: Int, without removed: [Int] = []) {
        guard let number = world.number(of: self, at: node) else { return }
        world.note(node, "changes the keys without \(removed.map { world.nodes[$0].name })")
        let request = RotationRequest(
            request: world.nodes[node].person.nextRequest(at: node),
            conversation: number,
            without: removed.map { world.nodes[$0].device }
        )
        world.input(.rotated(request), to: node)
    }

    private var writerSeed: Bytes32 { Bytes32(seed, 3, 0, 0) }

    private var writeKey: Bytes32 {
        guard creator != nil else { return writer.devicePublicKey }
        return writer.publicKey(ofSeed: Capability.writeSeed(writerSeed, using: writer))
    }
}
