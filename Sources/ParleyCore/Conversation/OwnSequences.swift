/// The numbers of this device's own envelopes in one conversation.
///
/// They are reserved on disk in blocks before they are used, so that a crash skips numbers and
/// never uses one twice.
package struct OwnSequences: Sendable {
    /// Numbers that one write reserves.
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

    /// How many numbers may be used now.
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

    /// The reservation is on disk, so the reserved numbers may be used.
    package mutating func reservationCommitted() {
        committedEnd = reservedEnd
    }

    /// The next number; there must be one available.
    package mutating func take() -> UInt64 {
        precondition(next < committedEnd, "a sequence was used before it was reserved on disk")
        defer { next += 1 }
        return next
    }
}
