/// The seats of this node's guests in one conversation.
package struct SeatTable: Sendable {
    private var seats: [SeatNumber: (guest: GuestSeat, author: Seat)] = [:]

    /// The guests, ascending by number.
    package var guests: [GuestSeat] { all.map(\.guest) }

    /// The guests with the IDs of their keys and participants, ascending by number.
    package var all: [(guest: GuestSeat, device: DeviceID, participant: ParticipantID)] {
        seats.values.sorted { $0.guest.number < $1.guest.number }
            .map { ($0.guest, $0.author.device, $0.author.participant) }
    }

    package func guest(at number: SeatNumber) -> GuestSeat? { seats[number]?.guest }

    /// The name of the guest with the ID.
    func name(of device: DeviceID) -> String? {
        seats.isEmpty ? nil : seats.values.first { $0.author.device == device }?.guest.name
    }

    func name(of guest: ParticipantID) -> String? {
        seats.values.first { $0.author.participant == guest }?.guest.name
    }

    func author(at number: SeatNumber) -> Seat? { seats[number]?.author }

    func author(_ guest: ParticipantID) -> Seat? {
        seats.values.first { $0.author.participant == guest }?.author
    }

    /// Whether a guest writes under the origin at present.
    func has(_ origin: OriginID) -> Bool {
        !seats.isEmpty && seats.values.contains { $0.author.origin == origin }
    }

    mutating func take(_ guest: GuestSeat, as author: Seat) {
        seats[guest.number] = (guest, author)
    }

    mutating func leave(_ number: SeatNumber) { seats[number] = nil }
}
