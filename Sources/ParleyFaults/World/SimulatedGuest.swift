package import ParleyCore

/// A guest of a node: somebody with a seat there, known by a number.
package struct SimulatedGuest: Hashable, Sendable {
    package let number: UInt64
    package let seat: SeatNumber
    package var name: String

    /// A guest, with a key that follows from the number; nil for a seat that does not exist.
    package init?(_ number: UInt64, at seat: Int, name: String? = nil) {
        guard let seat = SeatNumber(seat) else { return nil }
        self.number = number
        self.seat = seat
        self.name = name ?? "guest \(number)"
    }

    /// The guest as its host keeps it.
    package var kept: GuestSeat {
        GuestSeat(
            number: seat,
            seed: Bytes32(number, 0x6775_6573_7473, 0, 0),
            name: name,
            secretHash: Bytes32(number, 0x7365_6372_6574, 0, 0)
        )
    }
}

extension GuestSeat {
    /// The ID of the guest of a host.
    package func device(of host: DeviceID, using crypto: some Cryptography) -> DeviceID {
        DeviceID(
            guestKey: crypto.publicKey(ofSeed: seed),
            at: number,
            of: host,
            using: crypto
        )
    }

    /// The guest as the members of a conversation see it.
    package func participant(
        of host: DeviceID,
        in conversation: ConversationID,
        using crypto: some Cryptography
    ) -> ParticipantID {
        ParticipantID(
            conversation: conversation,
            device: device(of: host, using: crypto),
            using: crypto
        )
    }
}

extension NodeMachine {
    /// The participant at a seat; nil if the seat is empty.
    package func guest(at seat: SeatNumber, in conversation: UInt32) -> ParticipantID? {
        self.conversation(conversation)?.origins.seats.guests
            .first { $0.seat.number == seat }?.author.participant
    }
}

extension ParticipantID {
    /// A guest who never had a seat.
    package static let nobody = ParticipantID(.zero)
}
