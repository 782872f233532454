/// The seats of this node's guests in one conversation.
package struct SeatTable: Sendable {
    private var seats: [SeatNumber: Seat] = [:]

    /// The guests, ascending by number.
    package var guests: [(seat: GuestSeat, author: AuthorView)] {
        seats.sorted { $0.key < $1.key }.compactMap { _, seat in
            seat.guest.map { ($0, seat.author) }
        }
    }

    package func guest(at number: SeatNumber) -> GuestSeat? { seats[number]?.guest }

    func seat(of guest: ParticipantID) -> Seat? {
        seats.values.first { $0.author.participant == guest }
    }

    /// The name of the guest with the ID.
    func name(of device: DeviceID) -> String? {
        seats.isEmpty ? nil : seats.values.first { $0.author.device == device }?.guest?.name
    }

    /// Whether a guest writes under the origin at present.
    func has(_ origin: OriginID) -> Bool {
        !seats.isEmpty && seats.values.contains { $0.origin == origin }
    }

    fileprivate mutating func set(_ seat: Seat?, at number: SeatNumber) -> Seat? {
        defer { seats[number] = seat }
        return seats[number]
    }
}

extension OriginTable {
    /// Gives a guest a seat, from which the guest writes under an origin of this epoch.
    ///
    /// - Returns: whether the guest has it; false if this device may not write.
    @discardableResult
    mutating func take(
        _ guest: GuestSeat,
        in conversation: ConversationRecord,
        epoch: Epoch,
        using crypto: some Cryptography
    ) -> Bool {
        guard let certificate = conversation.certificate else { return false }
        let key = crypto.publicKey(ofSeed: guest.seed)
        let host = OriginHost(
            deviceKey: crypto.devicePublicKey,
            certificate: certificate,
            seat: guest.number
        )
        let device = DeviceID(
            guestKey: key,
            at: guest.number,
            of: host.device(using: crypto),
            using: crypto
        )
        let signed = device.certifiedBytes(asGuestAt: guest.number, in: conversation.id)
        let record = OriginRecord(
            deviceKey: key,
            epoch: epoch,
            certificate: crypto.sign(signed.span.bytes),
            host: host,
            generation: conversation.generation
        )
        let state = OriginState(record, in: conversation.id, using: crypto)
        let origin = OriginID(
            conversation: conversation.id,
            device: device,
            epoch: epoch,
            using: crypto
        )
        leave(guest.number)
        if self[origin] == nil { self[origin] = state }
        _ = seats.set(Seat(origin: origin, author: state.author, guest: guest), at: guest.number)
        return true
    }

    /// Has the guests write under origins of another epoch.
    mutating func renewSeats(
        in conversation: ConversationRecord,
        epoch: Epoch,
        using crypto: some Cryptography
    ) {
        for guest in seats.guests {
            take(guest.seat, in: conversation, epoch: epoch, using: crypto)
        }
    }

    /// Takes the seat from its guest, whose messages stay.
    ///
    /// - Returns: whether somebody had the seat.
    @discardableResult
    mutating func leave(_ number: SeatNumber) -> Bool {
        guard let seat = seats.set(nil, at: number) else { return false }
        if let state = self[seat.origin], !state.isStored, !state.isIntroduced {
            self[seat.origin] = nil
        }
        return true
    }
}
