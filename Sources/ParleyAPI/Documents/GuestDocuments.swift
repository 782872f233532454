/// The links by which a conversation is open to guests of the node, and the guests inside.
package struct GuestsDocument: Codable, Hashable, Sendable {
    /// The links that phones open, the likeliest to be reached first; none if it is closed.
    package var links: [String]
    /// Whether guests can come by the links.
    package var open: Bool
    /// The code in the links, which people can type.
    package var code: String?
    /// The most guests.
    package var seats: Int
    /// Whether nobody else may come for now; those inside stay.
    package var locked: Bool
    package var guests: [GuestDocument]

    package init(
        links: [String],
        open: Bool,
        code: String?,
        seats: Int,
        locked: Bool,
        guests: [GuestDocument]
    ) {
        self.links = links
        self.open = open
        self.code = code
        self.seats = seats
        self.locked = locked
        self.guests = guests
    }
}

/// A guest of the node in a conversation.
package struct GuestDocument: Codable, Hashable, Sendable {
    /// The number of the seat, 1 to 64.
    package var seat: Int
    package var name: String
    /// The UUID of the guest as a participant.
    package var participant: String
    /// Whether the guest's page is open now.
    package var present: Bool
    /// The four digits that give the guest the seat back in another browser.
    package var digits: String

    package init(seat: Int, name: String, participant: String, present: Bool, digits: String) {
        self.seat = seat
        self.name = name
        self.participant = participant
        self.present = present
        self.digits = digits
    }
}

/// A request to open a conversation to guests, or to change how it is open.
package struct GuestsRequest: Codable, Hashable, Sendable {
    /// The most guests, 1 to 64; as before if absent, 16 at first.
    package var seats: Int?
    /// Whether nobody else may come; as before if absent.
    package var locked: Bool?

    package init(seats: Int? = nil, locked: Bool? = nil) {
        self.seats = seats
        self.locked = locked
    }
}

/// Another name for a guest.
package struct GuestNameDocument: Codable, Hashable, Sendable {
    package var name: String
}

/// The seat of a guest, as the guest's page shows it.
package struct GuestPlaceDocument: Codable, Hashable, Sendable {
    /// The name of the node that has the guest.
    package var host: String
    package var conversation: String
    package var seat: Int
    package var name: String
    /// The four digits that give the guest the seat back in another browser.
    package var digits: String

    package init(host: String, conversation: String, seat: Int, name: String, digits: String) {
        self.host = host
        self.conversation = conversation
        self.seat = seat
        self.name = name
        self.digits = digits
    }
}
