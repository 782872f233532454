package import ParleyCore

/// An invite that ends: a token to knock with at the inviter's node, and no secret of the
/// conversation.
///
/// `docs/protocol.md`, section "Invites that end", specifies the bytes of the link.
package struct KnockLink: Sendable, Equatable {
    package let role: Capability.Role
    package let token: Bytes16
    package let conversation: ConversationID
    /// The inviter's device.
    package let device: DeviceID
    /// The number of the invite on the inviter's node.
    package let number: UInt32
    /// The addresses of that node: up to `addressesMax`, each of up to `Limits.addressBytes`.
    package let addresses: [String]
    package let name: ConversationName

    package static let addressesMax = 3
    /// The role in the link has this bit set.
    private static let knockBit: UInt8 = 16
    private static let fixedBytes = 2 + Bytes16.count + 2 * Bytes32.count + 5

    /// A link of so many addresses that the joiner dials, at most `addressesMax`.
    package init(
        role: Capability.Role,
        token: Bytes16,
        conversation: ConversationID,
        device: DeviceID,
        number: UInt32,
        addresses: [String],
        name: ConversationName
    ) {
        self.role = role
        self.token = token
        self.conversation = conversation
        self.device = device
        self.number = number
        self.addresses = Array(addresses.prefix(Self.addressesMax))
        self.name = name
    }

    /// Reads an invite; nil for one that has the keys.
    package init?(parsing text: String) throws(InviteError) {
        guard case .knock(let link) = try InviteText.parse(text) else { return nil }
        self = link
    }

    /// The link, which is secret.
    package var text: String { InviteText.link(self) }

    /// The door at which the link lets knock.
    package var door: KnockRequests.Door {
        KnockRequests.Door(device: device, invite: number, token: token)
    }

    /// u8 role with `knockBit` ‖ u8 length of the name ‖ token ‖ conversation ID ‖ device ID ‖
    /// u32 number ‖ u8 count of addresses ‖ u8 length and text of each ‖ name.
    var content: [UInt8] {
        var bytes = [role.rawValue | Self.knockBit, UInt8(name.utf8.count)]
        bytes += token.bytes + conversation.bytes + device.bytes
        bytes += withUnsafeBytes(of: number.bigEndian) { Array($0) }
        bytes.append(UInt8(addresses.count))
        for address in addresses {
            bytes.append(UInt8(address.utf8.count))
            bytes += Array(address.utf8)
        }
        return bytes + name.utf8
    }

    /// The fewest bytes of a content with this start, which has at least two.
    static func leastCount(_ start: [UInt8]) -> Int {
        var count = fixedBytes
        if start.count >= fixedBytes {
            for _ in 0..<start[fixedBytes - 1] where count < start.count {
                count += 1 + Int(start[count])
            }
        }
        return count + Int(start[1])
    }

    /// Reads `content`.
    init(content: Slice) throws(InviteError) {
        guard content.count >= Self.fixedBytes else { throw .malformed }
        guard content[0] & Self.knockBit != 0,
            let role = Capability.Role(rawValue: content[0] & ~Self.knockBit)
        else { throw .unknownRole(content[0]) }
        self.role = role
        token = Bytes16(reading: content, at: 2)
        conversation = ConversationID(reading: content, at: 18)
        device = DeviceID(reading: content, at: 50)
        number = content.bigEndian(at: 82)
        var addresses: [String] = []
        var offset = Self.fixedBytes
        for _ in 0..<content[offset - 1] {
            guard offset < content.count else { throw .malformed }
            let end = offset + 1 + Int(content[offset])
            guard end <= content.count,
                let text = String(validating: content[offset + 1..<end].bytes, as: UTF8.self),
                (1...Limits.addressBytes).contains(text.utf8.count)
            else { throw .malformed }
            addresses.append(text)
            offset = end
        }
        guard addresses.count <= Self.addressesMax, content.count - offset == Int(content[1]) else {
            throw .malformed
        }
        self.addresses = addresses
        name = try InviteText.conversationName(content[offset..<content.count].bytes[...])
    }
}

extension KnockLink: CustomStringConvertible, CustomReflectable {
    /// Role, name and inviter, without the token, so the description may be logged.
    package var description: String { "\(role) invite \(number) of \(device) to \(name)" }

    package var customMirror: Mirror { Mirror(self, children: ["invite": description]) }
}
