/// The writer of a message: the device of this node, or one of its guests.
struct Seat: Sendable {
    let origin: OriginID
    let author: AuthorView
    /// Nil for the device.
    let guest: GuestSeat?

    /// The seat of a guest, or of the device if that is nil; nil if the guest has no seat.
    init?(of guest: ParticipantID?, in conversation: Conversation) {
        if let guest {
            guard let seat = conversation.origins.seats.seat(of: guest) else { return nil }
            self = seat
            return
        }
        origin = conversation.keys.ownOrigin
        author = AuthorView(
            device: conversation.device,
            participant: conversation.keys.ownParticipant
        )
        self.guest = nil
    }

    init(origin: OriginID, author: AuthorView, guest: GuestSeat) {
        self.origin = origin
        self.author = author
        self.guest = guest
    }
}

extension Cryptography {
    /// A signature by a guest's private key, or by the device if that is nil.
    func sign(_ bytes: RawSpan, as seed: Bytes32?) -> Signature {
        guard let seed else { return sign(bytes) }
        return sign(bytes, bySeed: seed)
    }
}
