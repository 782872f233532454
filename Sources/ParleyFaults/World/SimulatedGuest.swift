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
    /// The ID of the guest's key.
    package func device(using crypto: some Cryptography) -> DeviceID {
        DeviceID(publicKey: crypto.publicKey(ofSeed: seed), using: crypto)
    }

    package func participant(
        in conversation: ConversationID,
        using crypto: some Cryptography
    ) -> ParticipantID {
        ParticipantID(
            conversation: conversation,
            device: device(using: crypto),
            using: crypto
        )
    }
}
