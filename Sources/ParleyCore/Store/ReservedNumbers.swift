/// Ascending numbers of which none is used twice, also after a crash: they are reserved on disk.
///
/// They begin with the number of the conversation in the data directory, which is never used twice,
/// so that whoever leaves and joins again goes on with higher ones.
struct ReservedNumbers: Sendable {
    private static let block: UInt64 = 4_096

    fileprivate var next: UInt64 = 0
    private var committedEnd: UInt64 = 0
    private var reservedEnd: UInt64 = 0
    /// The commit that reserves numbers, while it is under way.
    private var reservation: Ticket?

    init() {}

    /// Continues behind everything that was reserved.
    init(record: Slice) {
        guard record.count == 8 else { return }
        next = record.bigEndian(at: 0)
        (committedEnd, reservedEnd) = (next, next)
    }

    /// The next number; nil until more are reserved.
    mutating func take() -> UInt64? {
        guard next < committedEnd else { return nil }
        defer { next += 1 }
        return next
    }

    /// Whether a reservation is under way.
    var isReserving: Bool { reservation != nil }

    /// Whether there is anything to reserve, or reserved at last.
    func isDue(_ committed: Ticket) -> Bool {
        reservation.map { $0 <= committed } ?? (committedEnd - next < Self.block / 2)
    }

    /// Reserves numbers if few are left; `ticket` is of the commit that will write the reservation.
    mutating func reserve(
        _ name: MemberRecord,
        in conversation: UInt32,
        with ticket: Ticket
    ) -> StoreWrite? {
        guard reservation == nil, isDue(ticket) else { return nil }
        if reservedEnd == 0 {
            next = UInt64(conversation) << 32
            (committedEnd, reservedEnd) = (next, next)
        }
        reservedEnd += Self.block
        reservation = ticket
        var record: [UInt8] = []
        record.appendBigEndian(reservedEnd)
        return .member(conversation: conversation, name, Slice(record))
    }

    /// Takes note of what is on disk.
    ///
    /// - Returns: whether a reservation has come there.
    mutating func committed(_ ticket: Ticket) -> Bool {
        guard let reservation, reservation <= ticket else { return false }
        committedEnd = reservedEnd
        self.reservation = nil
        return true
    }
}

extension Recovery {
    /// Raises the counters and the numbers of cards far above those on disk.
    ///
    /// A copy of the data directory may use the same numbers, or the device has used them since a
    /// backup or before a row was lost. Peers ignore lower numbers, and a seal with a used counter
    /// betrays its content.
    ///
    /// - Returns: the changed rows.
    mutating func skipNumbers(using random: inout some RandomNumberGenerator) -> [StoreWrite] {
        var writes: [StoreWrite] = []
        for index in conversations.indices {
            let number = conversations[index].record.number
            for name in [MemberRecord.receiptCounter, .cardNumber] {
                let row = conversations[index].members[name]
                let end = row.map { ReservedNumbers(record: $0).next } ?? 0
                let skip = UInt64.random(in: 1...63, using: &random) << 22
                var record: [UInt8] = []
                record.appendBigEndian(max(end, UInt64(number) << 32) &+ skip)
                conversations[index].members[name] = Slice(record)
                writes.append(.member(conversation: number, name, Slice(record)))
            }
        }
        return writes
    }
}
