/// The name of something that a node keeps about the members of a conversation.
package enum MemberRecord: Hashable, Sendable {
    /// An invite of this node that ends, by its number.
    case invite(UInt32)
    /// That the device with the raw Ed25519 key `by` let another device in.
    case admission(of: DeviceID, by: Bytes32)
    /// With what the conversation began.
    case birth
    /// The record of a generation of keys, with its boxes.
    case generation(GenerationID)
    /// This node's secret of a generation of keys.
    case secret(GenerationID)
    /// A vouch, by its ID.
    case vouch(Bytes32)
    /// The devices that this node removed with a generation.
    case removal(GenerationID)
    /// The key and role of a device that proved both on a link.
    case device(DeviceID)
    /// The sequences of an origin of this node that a device has on disk, with the device's key.
    case receipts(of: OriginID, by: DeviceID)
    /// The end of the counters for receipts of this device that may be in use.
    case receiptCounter
    /// The end of the numbers for cards of this device that may be in use.
    case cardNumber
}

extension MemberRecord {
    /// The number of the kind in the store, which never changes.
    package var kind: Int64 {
        switch self {
        case .invite: 1
        case .admission: 2
        case .birth: 3
        case .generation: 4
        case .secret: 5
        case .vouch: 6
        case .removal: 7
        case .device: 8
        case .receipts: 16
        case .receiptCounter: 17
        case .cardNumber: 18
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
        case .birth: return []
        case .generation(let id), .secret(let id), .removal(let id): return id.bytes
        case .vouch(let id): return id.bytes
        case .device(let device): return device.bytes
        case .receipts(let origin, let device): return origin.bytes + device.bytes
        case .receiptCounter, .cardNumber: return []
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
        case (3, 0): self = .birth
        case (4, GenerationID.count): self = .generation(GenerationID(reading: key, at: 0))
        case (5, GenerationID.count): self = .secret(GenerationID(reading: key, at: 0))
        case (6, Bytes32.count): self = .vouch(Bytes32(reading: key, at: 0))
        case (7, GenerationID.count): self = .removal(GenerationID(reading: key, at: 0))
        case (8, DeviceID.count): self = .device(DeviceID(reading: key, at: 0))
        case (16, OriginID.count + DeviceID.count):
            self = .receipts(
                of: OriginID(reading: key, at: 0),
                by: DeviceID(reading: key, at: OriginID.count)
            )
        case (17, 0): self = .receiptCounter
        case (18, 0): self = .cardNumber
        default: return nil
        }
    }
}
