/// The sealed word of a device to an author that messages of the author are on the device's disk.
///
/// Packed: `u64 device · u64 counter · 64 sealed`. Only the author can open it, and only a reader
/// of the conversation can have made it.
package struct Receipt: Sendable, Equatable {
    package static let packedBytes = 80
    package static let contentBytes = 48
    package static let sealedBytes = contentBytes + 16
    /// Receipts with one value of `counter / perSet` are a set.
    package static let perSet: UInt64 = 16

    /// A name of the device that only the device and the author can compute.
    package let device: UInt64
    package let counter: UInt64
    package let sealed: Slice

    package init(device: UInt64, counter: UInt64, sealed: Slice) {
        self.device = device
        self.counter = counter
        self.sealed = sealed
    }

    /// The set of the receipt; a later set of a device takes the place of its earlier ones.
    package var set: UInt64 { counter / Self.perSet }
}

extension Receipt: PackedElement {
    init(packed: Slice, at offset: Int) {
        device = packed.bigEndian(at: offset)
        counter = packed.bigEndian(at: offset + 8)
        sealed = packed[offset + 16..<offset + Self.packedBytes].compacted()
    }

    func appendPacked(to buffer: inout [UInt8]) {
        buffer.appendBigEndian(device)
        buffer.appendBigEndian(counter)
        sealed.append(to: &buffer)
    }
}

/// Receipts for messages of one origin, on their way to the author.
package struct ReceiptsFrame: Sendable, Equatable {
    /// The sender's number of the conversation.
    package var conversation: UInt32
    package let origin: OriginID
    /// 1 to `Limits.receipts`.
    package let receipts: [Receipt]

    package init(conversation: UInt32, origin: OriginID, receipts: [Receipt]) {
        self.conversation = conversation
        self.origin = origin
        self.receipts = receipts
    }
}

extension ReceiptsFrame: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        origin = try map.field(3) { $0.origin }
        receipts = try map.packed(5, count: 1...Limits.receipts) { $0.receipts }
    }
}
