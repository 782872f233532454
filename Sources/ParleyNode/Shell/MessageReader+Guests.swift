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
        let name = try Self.guestName(name)
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
        guestAt seat: Int,
        in name: String,
        name newName: String?,
        secretHash: [UInt8]?
    ) throws(NodeError) -> SeatChange {
        let present = try guest(at: seat, in: name)
        guard let guest = present.guest else { throw .unknownGuest }
        let changed = GuestSeat(
            number: guest.number,
            seed: guest.seed,
            name: try newName.map { (name) throws(NodeError) in try Self.guestName(name) }
                ?? guest.name,
            secretHash: secretHash.flatMap { Bytes32($0) } ?? guest.secretHash
        )
        return SeatChange(
            conversation: present.conversation,
            number: present.number,
            guest: changed
        )
    }

    /// The seat of a guest without the guest.
    func emptied(seat: Int, in name: String) throws(NodeError) -> SeatChange {
        let present = try guest(at: seat, in: name)
        return SeatChange(
            conversation: present.conversation,
            number: present.number,
            guest: nil
        )
    }

    private func guest(at seat: Int, in name: String) throws(NodeError) -> SeatChange {
        let conversation = try machine.conversation(named: name)
        guard let number = SeatNumber(seat),
            let guest = conversation.origins.seats.guest(at: number)
        else { throw .unknownGuest }
        return SeatChange(conversation: conversation.number, number: number, guest: guest)
    }

    private static func guestName(_ text: String) throws(NodeError) -> String {
        do throws(GivenNameError) {
            return try GivenName(text, bytesMax: Limits.deviceNameBytes).text
        } catch {
            throw .badName(error.message(of: "a guest") + ".")
        }
    }
}
