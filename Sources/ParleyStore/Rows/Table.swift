import ParleyCore

/// The tables of the database, and the checksums of their rows.
///
/// The raw values are the seeds of the checksums, so they must never change.
enum Table: UInt64 {
    case meta = 1
    case conversation = 2
    case origin = 3
    /// The incarnations of the feeds. This table and a column of `cursor` keep an old name, which
    /// databases have.
    case run = 4
    case sequence = 5
    case session = 6
    case cursor = 7
    case blob = 8
    case blobChunk = 9
    case address = 10
    case device = 11
    case seat = 12
    case member = 13
    /// The files in a backup.
    case backupFile = 64

    static func sum(metaKey key: String, value: [UInt8]) -> Int64 {
        var sum = RowSum(seed: meta.rawValue)
        sum.add(Array(key.utf8))
        sum.add(value)
        return sum.value
    }

    static func sum(of record: ConversationRecord) -> Int64 {
        var sum = RowSum(seed: conversation.rawValue)
        sum.add(UInt64(record.number))
        sum.add(record.id.bytes)
        sum.add(Array(record.name.utf8))
        sum.add(UInt64(record.isOpen ? 1 : 0))
        sum.add(record.capability.publicWriteKey.bytes)
        sum.add(record.capability.relayKey.bytes)
        sum.add(record.capability.readKey?.bytes ?? [])
        sum.add(record.capability.writerSeed?.bytes ?? [])
        sum.add(record.certificate?.bytes ?? [])
        return sum.value
    }

    static func sum(of record: OriginRecord, id: OriginID, conversation: UInt32) -> Int64 {
        var sum = RowSum(seed: origin.rawValue)
        sum.add(UInt64(conversation))
        sum.add(id.value)
        sum.add(record.deviceKey.bytes)
        sum.add(record.epoch.value)
        sum.add(record.certificate.bytes)
        // Rows of before this column have no more in their sums.
        if let host = record.host { sum.add(host.packed) }
        if let generation = record.packedGeneration { sum.add(generation) }
        return sum.value
    }

    static func sum(of name: MemberRecord, record: Slice, conversation: UInt32) -> Int64 {
        var sum = RowSum(seed: member.rawValue)
        sum.add(UInt64(conversation))
        sum.add(UInt64(name.kind))
        sum.add(name.key)
        sum.add(record.bytes)
        return sum.value
    }

    static func sum(of guest: GuestSeat, conversation: UInt32) -> Int64 {
        var sum = RowSum(seed: seat.rawValue)
        sum.add(UInt64(conversation))
        sum.add(UInt64(guest.number.value))
        sum.add(guest.seed.bytes)
        sum.add(Array(guest.name.utf8))
        sum.add(guest.secretHash.bytes)
        return sum.value
    }

    static func sum(of feedIncarnation: FeedIncarnation, conversation: UInt32) -> Int64 {
        var sum = RowSum(seed: run.rawValue)
        sum.add(UInt64(conversation))
        sum.add(feedIncarnation.id)
        sum.add(feedIncarnation.start)
        return sum.value
    }

    static func sum(reservedEnd: UInt64, conversation: UInt32) -> Int64 {
        var sum = RowSum(seed: sequence.rawValue)
        sum.add(UInt64(conversation))
        sum.add(reservedEnd)
        return sum.value
    }

    static func sum(of feedCursor: FeedCursor, peer: DeviceID, conversation: UInt32) -> Int64 {
        var sum = RowSum(seed: cursor.rawValue)
        sum.add(UInt64(conversation))
        sum.add(peer.bytes)
        sum.add(feedCursor.incarnation)
        sum.add(feedCursor.position)
        return sum.value
    }

    static func sum(ofBlob id: BlobID, chunks: Int64, complete: Int64) -> Int64 {
        var sum = RowSum(seed: blob.rawValue)
        sum.add(id.bytes)
        sum.add(chunks)
        sum.add(complete)
        return sum.value
    }

    static func sum(ofChunk bytes: RawSpan, number: Int64, blob: BlobID) -> Int64 {
        var sum = RowSum(seed: blobChunk.rawValue)
        sum.add(blob.bytes)
        sum.add(number)
        sum.add(bytes)
        return sum.value
    }

    static func sum(ofAddress text: String, device: DeviceID) -> Int64 {
        var sum = RowSum(seed: address.rawValue)
        sum.add(device.bytes)
        sum.add(Array(text.utf8))
        return sum.value
    }

    static func sum(ofName name: String, device id: DeviceID) -> Int64 {
        var sum = RowSum(seed: device.rawValue)
        sum.add(id.bytes)
        sum.add(Array(name.utf8))
        return sum.value
    }

    static func sum(ofFile name: String, _ bytes: [UInt8]) -> Int64 {
        var sum = RowSum(seed: backupFile.rawValue)
        sum.add(Array(name.utf8))
        sum.add(bytes)
        return sum.value
    }
}
