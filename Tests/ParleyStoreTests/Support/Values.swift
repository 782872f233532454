import ParleyCore
import TestSupport

/// Values made from small numbers, the same in every run.
enum Values {
    static func wide(_ number: UInt64) -> Bytes32 {
        Bytes32(number, number &* 3 &+ 1, number &* 5 &+ 2, number &* 7 &+ 3)
    }

    static func narrow(_ number: UInt64) -> Bytes16 { wide(number).prefix16 }

    static func dot(_ origin: UInt64, _ sequence: UInt64) -> Dot {
        Dot(origin: OriginID(narrow(origin)), sequence: sequence)
    }

    static func device(_ number: UInt64) -> DeviceID { DeviceID(wide(number)) }

    static func blob(_ number: UInt64) -> BlobID { BlobID(wide(number)) }

    static func bytes(_ count: Int, _ seed: UInt64) -> Slice {
        var random = SeededRandom(seed: seed)
        return Slice((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    static func head(_ origin: UInt64, _ sequence: UInt64, bytes count: Int? = 40) -> StoredHead {
        let envelope = count.map { bytes($0, origin &* 1_000 &+ sequence) }
        return StoredHead(dot: dot(origin, sequence), envelope: envelope)
    }

    static func session(
        _ row: Int64,
        of conversation: UInt32 = 1,
        position: UInt64 = 1,
        heads: [StoredHead],
        lines: Slice = .empty
    ) -> SessionRow {
        SessionRow(
            row: row,
            conversation: conversation,
            tag: SessionTag(narrow(UInt64(row))),
            position: position,
            heads: heads,
            lines: lines
        )
    }

    static func conversation(
        _ number: UInt32,
        name: String? = nil,
        role: Capability.Role = .writer
    ) -> ConversationRecord {
        let seed = UInt64(number)
        return ConversationRecord(
            number: number,
            id: ConversationID(wide(seed)),
            name: name ?? "conversation \(number)",
            isOpen: number.isMultiple(of: 2),
            capability: Capability(
                publicWriteKey: wide(seed + 1),
                relayKey: wide(seed + 2),
                readKey: role >= .reader ? wide(seed + 3) : nil,
                writerSeed: role >= .writer ? wide(seed + 4) : nil
            ),
            certificate: role >= .writer
                ? Signature(first: wide(seed + 5), second: wide(seed + 6)) : nil
        )
    }

    /// The record of a device, or of a guest for an even number.
    static func origin(_ number: UInt64) -> OriginRecord {
        OriginRecord(
            deviceKey: wide(number),
            epoch: Epoch(number &* 0x9E37_79B9_7F4A_7C15),
            certificate: Signature(first: wide(number + 1), second: wide(number + 2)),
            host: number.isMultiple(of: 2) ? host(number) : nil
        )
    }

    private static func host(_ number: UInt64) -> OriginHost? {
        SeatNumber(1 + number % 64).map { seat in
            OriginHost(
                deviceKey: wide(number + 3),
                certificate: Signature(first: wide(number + 4), second: wide(number + 5)),
                seat: seat
            )
        }
    }

    /// The name of an invite or an admission, known by a number.
    static func memberRecord(_ number: UInt64) -> MemberRecord {
        number.isMultiple(of: 2)
            ? .invite(UInt32(number))
            : .admission(of: device(number), by: Bytes32(number, 1, 2, 3))
    }

    /// A guest who is known by a number, at the seat 1 to 64 that follows from `seat`.
    static func guest(_ number: UInt64, at seat: UInt64) -> GuestSeat? {
        SeatNumber(1 + seat % 64).map { seat in
            GuestSeat(
                number: seat,
                seed: wide(number + 6),
                name: "Gast \(number) \u{0} 🎲",
                secretHash: wide(number + 7)
            )
        }
    }
}
