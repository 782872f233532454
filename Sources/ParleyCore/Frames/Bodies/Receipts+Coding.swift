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

    fileprivate init(packed: Slice, at offset: Int) {
        device = packed.bigEndian(at: offset)
        counter = packed.bigEndian(at: offset + 8)
        sealed = packed[offset + 16..<offset + Self.packedBytes].compacted()
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

extension ReceiptsFrame: FrameBody {
    init(from reader: inout CBORReader) throws(CodecError) {
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        conversation = try reader.unsigned32()
        try reader.require(3, in: &map)
        origin = try reader.fixed()
        try reader.require(5, in: &map)
        let size = Receipt.packedBytes
        let packed = try reader.packed(elementBytes: size, countMax: Limits.receipts)
        guard !packed.isEmpty else { throw .wrongLength }
        receipts = (0..<packed.count / size).map { Receipt(packed: packed, at: $0 * size) }
        try reader.closeMap(&map)
    }

    func write(to writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.key(1, in: &map)
        writer.unsigned(UInt64(conversation))
        writer.key(3, in: &map)
        writer.fixed(origin)
        writer.key(5, in: &map)
        writer.byteStringHead(count: receipts.count * Receipt.packedBytes)
        for receipt in receipts {
            writer.raw(receipt.device)
            writer.raw(receipt.counter)
            writer.raw(receipt.sealed)
        }
        writer.closeMap(map)
    }
}
