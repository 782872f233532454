/// The numbers of this device's envelopes in one conversation.
///
/// Numbers are reserved on disk in blocks before use, so that a crash skips numbers but never
/// repeats any.
package struct OwnSequences: Sendable {
    /// The number of sequences in one reservation.
    package static let block: UInt64 = 65_536

    package private(set) var next: UInt64
    package private(set) var committedEnd: UInt64
    package private(set) var reservedEnd: UInt64

    /// Every number from `end` on is unused.
    package init(end: UInt64) {
        next = min(end, Limits.sequenceEnd)
        committedEnd = next
        reservedEnd = next
    }

    /// The number of sequences that may be used now.
    package var available: Int { Int(committedEnd - next) }

    /// Reserves a block if numbers run low and no reservation is under way.
    ///
    /// - Returns: the new end to write, or nil.
    package mutating func reserve() -> UInt64? {
        guard reservedEnd == committedEnd, committedEnd - next < Self.block / 2,
            reservedEnd + Self.block < Limits.sequenceEnd
        else { return nil }
        reservedEnd += Self.block
        return reservedEnd
    }

    /// The reservation is on disk, so that the reserved numbers may be used.
    package mutating func reservationCommitted() {
        committedEnd = reservedEnd
    }

    /// The next number, of which at least one must be available.
    package mutating func take() -> UInt64 {
        precondition(next < committedEnd, "a sequence was used before it was reserved on disk")
        defer { next += 1 }
        return next
    }
}
