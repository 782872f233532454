/// The name of something that a node keeps about the members of a conversation.
package enum MemberRecord: Hashable, Sendable {
    /// An invite of this node that ends, by its number.
    case invite(UInt32)
    /// That the device with the raw Ed25519 key `by` let another device in.
    case admission(of: DeviceID, by: Bytes32)
}

extension MemberRecord {
    /// The number of the kind in the store, which never changes.
    package var kind: Int64 {
        switch self {
        case .invite: 1
        case .admission: 2
        }
    }

    /// The name among those of its kind.
    package var key: [UInt8] {
        switch self {
        case .invite(let number):
            var key: [UInt8] = []
            key.appendBigEndian(number)
            return key
        case .admission(let device, let inviter): return device.bytes + inviter.bytes
        }
    }

    /// Reads kind and key; nil if they are none.
    package init?(kind: Int64, key: Slice) {
        switch (kind, key.count) {
        case (1, 4): self = .invite(key.bigEndian(at: 0))
        case (2, DeviceID.count + Bytes32.count):
            self = .admission(
                of: DeviceID(reading: key, at: 0),
                by: Bytes32(reading: key, at: DeviceID.count)
            )
        default: return nil
        }
    }
}
