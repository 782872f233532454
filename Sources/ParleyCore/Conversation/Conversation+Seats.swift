/// The guests of this node in a conversation.
extension Conversation {
    /// The author of the messages from a seat, or of this device without a seat; nil if nobody has
    /// the seat.
    func author(at number: SeatNumber?) -> Seat? {
        guard let number else {
            return Seat(origin: keys.ownOrigin, participant: keys.ownParticipant, seed: nil)
        }
        return seats.author(at: number)
    }

    /// Gives a guest a seat, from which the guest writes under an origin of this epoch.
    ///
    /// - Returns: whether the guest has it; false if this device may not write.
    @discardableResult
    mutating func take(
        _ guest: GuestSeat,
        epoch: Epoch,
        using crypto: some Cryptography
    ) -> Bool {
        guard let certificate = record.certificate else { return false }
        if seats.guest(at: guest.number)?.seed != guest.seed { _ = leave(guest.number) }
        let key = crypto.publicKey(ofSeed: guest.seed)
        let device = DeviceID(publicKey: key, using: crypto)
        let signed = device.certifiedBytes(asGuestAt: guest.number, in: record.id)
        let origin = OriginRecord(
            deviceKey: key,
            epoch: epoch,
            certificate: crypto.sign(signed.span.bytes),
            host: OriginHost(
                deviceKey: crypto.devicePublicKey,
                certificate: certificate,
                seat: guest.number
            )
        )
        let state = originState(origin, using: crypto)
        let id = OriginID(
            conversation: record.id,
            device: device,
            epoch: epoch,
            host: origin.host,
            using: crypto
        )
        if origins[id] == nil { origins[id] = state }
        let author = Seat(origin: id, participant: state.author.participant, seed: guest.seed)
        seats.take(guest, as: author)
        return true
    }

    /// Takes the seat from its guest, whose messages stay.
    ///
    /// - Returns: whether somebody had the seat.
    mutating func leave(_ number: SeatNumber) -> Bool {
        guard let author = seats.author(at: number) else { return false }
        seats.leave(number)
        if isUnused(author.origin) { forgetOrigin(author.origin) }
        return true
    }
}
