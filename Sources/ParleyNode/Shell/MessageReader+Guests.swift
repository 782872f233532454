import ParleyCore
import ParleyKeys
import ParleyValues

/// The guests of this node, and the changes that people want of their seats.
extension MessageReader {
    /// A change of a seat that is to be made.
    struct SeatChange: Sendable {
        let conversation: UInt32
        let number: SeatNumber
        /// Nil if the guest loses the seat.
        let guest: GuestSeat?
    }

    /// The guests in a conversation, or in all without a name, ascending by seat.
    func guests(of name: String?) throws(NodeError) -> [Guest] {
        guard let name else { return machine.conversations.flatMap(guests) }
        return guests(of: try machine.conversation(named: name))
    }

    private func guests(of conversation: ParleyCore.Conversation) -> [Guest] {
        conversation.origins.seats.guests.map { seat, author in
            Guest(
                conversation: conversation.record.name,
                conversationID: conversation.record.id.hex,
                seat: Int(seat.number.value),
                participant: Participant(
                    id: author.participant.uuid,
                    device: author.device.text,
                    name: seat.name,
                    host: machine.device.text
                ),
                secretHash: seat.secretHash.bytes
            )
        }
    }

    /// A guest at the lowest free seat of the first `countMax`, with a new key.
    func newGuest(
        _ name: String,
        in conversationName: String,
        secretHash: [UInt8],
        countMax: Int,
        isRelay: Bool
    ) throws(NodeError) -> SeatChange {
        let conversation = try machine.conversation(named: conversationName)
        guard conversation.role == .writer else {
            throw .readOnly(conversation: conversationName, isRelay: isRelay)
        }
        let name = try free(name, in: conversation)
        guard let hash = Bytes32(secretHash) else { throw .badSetting("the secret is too short") }
        let taken = Set(conversation.origins.seats.guests.map(\.seat.number))
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
        return SeatChange(conversation: conversation.number, number: free, guest: guest)
    }

    /// The guest with another name, or another secret, or both.
    func changed(
        _ guest: Guest,
        name newName: String?,
        secretHash: [UInt8]?
    ) throws(NodeError) -> SeatChange {
        let (conversation, present) = try seat(of: guest)
        var name = present.name
        if let newName { name = try free(newName, in: conversation, besides: present.number) }
        let changed = GuestSeat(
            number: present.number,
            seed: present.seed,
            name: name,
            secretHash: secretHash.flatMap { Bytes32($0) } ?? present.secretHash
        )
        return SeatChange(
            conversation: conversation.number,
            number: present.number,
            guest: changed
        )
    }

    /// The seat of a guest without the guest.
    func emptied(_ guest: Guest) throws(NodeError) -> SeatChange {
        let (conversation, present) = try seat(of: guest)
        return SeatChange(
            conversation: conversation.number,
            number: present.number,
            guest: nil
        )
    }

    /// The seat that a guest has now; another guest may have the number since.
    private func seat(
        of guest: Guest
    ) throws(NodeError) -> (conversation: ParleyCore.Conversation, seat: GuestSeat) {
        for conversation in machine.conversations
        where conversation.record.id.hex == guest.conversationID {
            let found = conversation.origins.seats.guests
                .first { $0.author.participant.uuid == guest.participant.id }
            if let found { return (conversation, found.seat) }
        }
        throw .unknownGuest
    }

    /// The name in normal form, with a number if the node or another guest has it already.
    private func free(
        _ text: String,
        in conversation: ParleyCore.Conversation,
        besides seat: SeatNumber? = nil
    ) throws(NodeError) -> String {
        let name = try Self.guestName(text)
        let others = conversation.origins.seats.guests.map(\.seat).filter { $0.number != seat }
        let taken = Set((others.map(\.name) + [machine.configuration.deviceName]).map(Self.folded))
        guard taken.contains(Self.folded(name)) else { return name }
        let stem = name.cut(toBytes: Limits.deviceNameBytes - 4)
        let free = (2...Guest.countMax + 2).lazy.map { "\(stem) \($0)" }
            .first { !taken.contains(Self.folded($0)) }
        return free ?? name
    }

    /// Names that differ only in this are the same for people.
    private static func folded(_ name: String) -> String { name.lowercased() }

    private static func guestName(_ text: String) throws(NodeError) -> String {
        do throws(GivenNameError) {
            return try GivenName(text, bytesMax: Limits.deviceNameBytes).text
        } catch {
            throw .badName(error.message(of: "a guest") + ".")
        }
    }
}
