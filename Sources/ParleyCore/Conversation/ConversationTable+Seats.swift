/// The guests of this node in all conversations.
extension ConversationTable {
    /// Gives a guest of this node a seat in a conversation in which this device may write, or takes
    /// the seat away.
    ///
    /// The requests of a guest without a seat are refused when they are tried.
    mutating func seat(
        _ guest: GuestSeat?,
        _ seat: SeatNumber,
        in number: UInt32,
        epoch: Epoch,
        using crypto: some Cryptography
    ) -> [StoreWrite] {
        guard let index = index(of: number) else { return [] }
        let record = self[index].record
        let isChanged =
            guest.map { self[index].origins.take($0, in: record, epoch: epoch, using: crypto) }
            ?? self[index].origins.leave(seat)
        return isChanged ? [.seat(conversation: number, seat, guest)] : []
    }
}
