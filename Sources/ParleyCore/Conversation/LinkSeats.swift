/// Small numbers for the links of a conversation, so that a set of links fits in 16 bytes.
///
/// A link keeps its seat until it closes, or until no seat is free and the link has a part in no
/// want; then another link may get the seat.
struct LinkSeats: Sendable {
    private var seats: [LinkID?] = []

    /// The link in a seat.
    subscript(seat: UInt8) -> LinkID? {
        Int(seat) < seats.count ? seats[Int(seat)] : nil
    }

    func seat(of link: LinkID) -> UInt8? {
        seats.firstIndex(of: link).map { UInt8($0) }
    }

    /// The seat of a link, which gets a free seat if necessary; nil if no seat is free.
    mutating func take(for link: LinkID) -> UInt8? {
        if let seat = seat(of: link) { return seat }
        if let free = seats.firstIndex(of: nil) {
            seats[free] = link
            return UInt8(free)
        }
        guard seats.count < Limits.seats else { return nil }
        seats.append(link)
        return UInt8(seats.count - 1)
    }

    mutating func leave(_ seat: UInt8) {
        guard Int(seat) < seats.count else { return }
        seats[Int(seat)] = nil
        while seats.last == .some(nil) { seats.removeLast() }
    }

    /// Frees the seats without a part in any want.
    mutating func leave(allBut used: SeatSet) {
        for seat in seats.indices where !used.contains(UInt8(seat)) { leave(UInt8(seat)) }
    }
}

/// A set of seats.
struct SeatSet: Sendable, Equatable {
    private var bits: UInt128 = 0

    var isEmpty: Bool { bits == 0 }

    /// The lowest seat of the set.
    var first: UInt8? { bits == 0 ? nil : UInt8(bits.trailingZeroBitCount) }

    func contains(_ seat: UInt8) -> Bool { bits & 1 << UInt128(seat) != 0 }

    mutating func insert(_ seat: UInt8) { bits |= 1 << UInt128(seat) }

    mutating func remove(_ seat: UInt8) { bits &= ~(1 << UInt128(seat)) }

    mutating func formUnion(_ other: SeatSet) { bits |= other.bits }

    func subtracting(_ other: SeatSet) -> SeatSet {
        var result = self
        result.bits &= ~other.bits
        return result
    }

    /// The seats, ascending.
    var seats: [UInt8] {
        var seats: [UInt8] = []
        var rest = bits
        while rest != 0 {
            seats.append(UInt8(rest.trailingZeroBitCount))
            rest &= rest - 1
        }
        return seats
    }
}
