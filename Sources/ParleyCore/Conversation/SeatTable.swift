/// The seats of this node's guests in one conversation.
package struct SeatTable: Sendable {
    private var seats: [SeatNumber: (guest: GuestSeat, author: Seat)] = [:]

    /// The guests, ascending by number.
    package var guests: [GuestSeat] {
        seats.values.map(\.guest).sorted { $0.number < $1.number }
    }

    package func guest(at number: SeatNumber) -> GuestSeat? { seats[number]?.guest }

    func author(at number: SeatNumber) -> Seat? { seats[number]?.author }

    /// Whether a guest writes under the origin at present.
    func has(_ origin: OriginID) -> Bool {
        !seats.isEmpty && seats.values.contains { $0.author.origin == origin }
    }

    mutating func take(_ guest: GuestSeat, as author: Seat) {
        seats[guest.number] = (guest, author)
    }

    mutating func leave(_ number: SeatNumber) { seats[number] = nil }
}
