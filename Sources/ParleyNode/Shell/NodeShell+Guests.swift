import ParleyCore
import ParleyValues

/// The guests of this node.
extension NodeShell {
    /// The guests in a conversation, or in all without a name.
    func guests(of name: String?) throws(NodeError) -> [Guest] {
        guard let name else { return machine.conversations.flatMap(reader.guests) }
        return reader.guests(of: try machine.conversation(named: name))
    }

    /// Gives a guest the lowest free seat of the first `countMax`.
    func seat(
        _ name: String,
        in conversationName: String,
        secretHash: [UInt8],
        countMax: Int
    ) async throws(NodeError) -> Guest {
        let conversation = try machine.conversation(named: conversationName)
        guard conversation.role == .writer else {
            throw .readOnly(conversation: conversationName, isRelay: settings.isRelay)
        }
        let name = try Self.guestName(name)
        guard let hash = Bytes32(secretHash) else { throw .badSetting("the secret is too short") }
        if let obstacle = commits.obstacle { throw obstacle }
        let taken = Set(conversation.seats.guests.map(\.number))
        let limit = min(countMax, Guest.countMax)
        guard taken.count < limit,
            let free = SeatNumber.all.lazy.compactMap(SeatNumber.init)
                .first(where: { !taken.contains($0) })
        else { throw .tooManyGuests(limit: limit) }
        var random = SystemRandomNumberGenerator()
        let guest = GuestSeat(
            number: free,
            seed: Bytes32(random.next(), random.next(), random.next(), random.next()),
            name: name,
            secretHash: hash
        )
        return try await take(guest, in: conversation.number, named: conversationName)
    }

    /// Gives a guest another name, or another secret, or both.
    func change(
        guestAt seat: Int,
        in conversationName: String,
        name: String?,
        secretHash: [UInt8]?
    ) async throws(NodeError) -> Guest {
        let (conversation, guest) = try guest(at: seat, in: conversationName)
        if let obstacle = commits.obstacle { throw obstacle }
        let changed = GuestSeat(
            number: guest.number,
            seed: guest.seed,
            name: try name.map { (name) throws(NodeError) in try Self.guestName(name) }
                ?? guest.name,
            secretHash: secretHash.flatMap { Bytes32($0) } ?? guest.secretHash
        )
        return try await take(changed, in: conversation, named: conversationName)
    }

    /// Takes the seat and the key from a guest, whose messages stay.
    func removeGuest(at seat: Int, from conversationName: String) async throws(NodeError) {
        let (conversation, guest) = try guest(at: seat, in: conversationName)
        feed(.unseated(conversation: conversation, guest.number))
        news.listeners.emit(.conversationsChanged)
        try await untilStored()
    }

    // MARK: Inside

    /// The guest's place and key are on disk before the guest can write.
    private func take(
        _ guest: GuestSeat,
        in number: UInt32,
        named name: String
    ) async throws(NodeError) -> Guest {
        feed(.seated(conversation: number, guest))
        news.listeners.emit(.conversationsChanged)
        try await untilStored()
        let seat = Int(guest.number.value)
        guard let taken = try guests(of: name).first(where: { $0.seat == seat }) else {
            throw .unknownGuest
        }
        return taken
    }

    private func guest(
        at seat: Int,
        in name: String
    ) throws(NodeError) -> (conversation: UInt32, guest: GuestSeat) {
        let conversation = try machine.conversation(named: name)
        guard let number = SeatNumber(seat), let guest = conversation.seats.guest(at: number)
        else { throw .unknownGuest }
        return (conversation.number, guest)
    }

    private static func guestName(_ text: String) throws(NodeError) -> String {
        do throws(GivenNameError) {
            return try GivenName(text, bytesMax: Limits.deviceNameBytes).text
        } catch {
            throw .badName(error.message(of: "a guest") + ".")
        }
    }
}
