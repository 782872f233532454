package import ParleyCore

/// A conversation whose keys are derived from a number, and the capabilities of its members.
package struct SimulatedConversation {
    package let name: String
    package let isOpen: Bool
    private let writer: SimulatedCryptography
    private let seed: UInt64

    /// A conversation; equal numbers give equal keys.
    package init(_ seed: UInt64, name: String = "table", isOpen: Bool = false) {
        self.name = name
        self.isOpen = isOpen
        self.seed = seed
        writer = SimulatedCryptography(seed: 1_000_000 + seed)
    }

    package var id: ConversationID {
        ConversationID(publicWriteKey: writer.devicePublicKey, using: writer)
    }

    package var readKey: Bytes32 { Bytes32(seed, 2, 0, 0) }

    package func capability(_ role: Capability.Role) -> Capability {
        Capability(
            publicWriteKey: writer.devicePublicKey,
            relayKey: Bytes32(seed, 1, 0, 0),
            readKey: role == .relay ? nil : readKey,
            writerSeed: role == .writer ? Bytes32(seed, 3, 0, 0) : nil
        )
    }

    package func certificate(of device: DeviceID) -> Signature {
        writer.sign(device.certifiedBytes.span.bytes)
    }

    /// The tag by which one side of a link proves that its device is a member; the side that
    /// dialled is 0.
    package func tag(exporter: Bytes32, side: UInt8) -> Bytes16 {
        var message = exporter.bytes
        message.append(side)
        id.append(to: &message)
        return writer.hmac(message.span.bytes, key: capability(.relay).relayKey).prefix16
    }

    /// The record that a node of this role keeps.
    package func record(number: UInt32, role: Capability.Role, device: DeviceID)
        -> ConversationRecord
    {
        ConversationRecord(
            number: number,
            id: id,
            name: name,
            isOpen: isOpen,
            capability: capability(role),
            certificate: role == .writer ? certificate(of: device) : nil
        )
    }
}
