import Foundation
package import Hummingbird
package import MessagesHost
import ParleyAPI
package import ParleyNode
import Synchronization

/// The guests of a node: who may come in, who is inside, and the server for them.
package final class GuestHost: GuestAccess {
    let node: Node
    package let door: GuestDoor
    package let presence = GuestPresence()
    private let rooms: GuestRooms
    /// The server, once there is one.
    let server = Mutex<GuestServer?>(nil)

    /// The most rooms that are open before their guests come back: each reads the end of its
    /// conversation.
    private static let roomsAtStartMax = 256

    /// The guests of a started node, who use the apps of its host.
    package init(node: Node, apps: AppHost, door: GuestDoor) {
        self.node = node
        self.door = door
        rooms = GuestRooms(node: node, host: apps, door: door, presence: presence)
    }

    package var wasDamaged: Bool { door.wasDamaged }

    package func addRoutes(to group: RouterGroup<BasicRequestContext>) {
        GuestAdminRoutes(guests: self).add(to: group)
    }

    /// Answers the requests of guests' browsers, with or without a socket in front of it.
    package var responder: any HTTPResponder<BasicRequestContext> {
        GuestResponder(
            entry: GuestEntry(node: node, door: door),
            rooms: rooms,
            node: node,
            door: door
        )
    }

    package func left(_ conversation: String) async {
        // A code that stays in the file opens nothing, as nobody can be seated.
        try? door.close(conversation)
        await changed()
    }

    /// Closes the pages of all who are not guests any more.
    func changed() async { await rooms.keepOnly((try? await node.guests()) ?? []) }

    /// Opens rooms after a restart: while a phone sleeps, the others wait for what follows without
    /// its guest, such as a part of a roll.
    func reopenRooms(of guests: [Guest]) async {
        for guest in guests.prefix(Self.roomsAtStartMax) { _ = await rooms.room(of: guest) }
    }

    // MARK: The owner's requests

    /// How a conversation is open to guests, and who is inside.
    func document(of name: String) async throws -> GuestsDocument {
        let conversation = try await conversation(named: name)
        let opening = door.opening(of: conversation.id)
        let now = Date()
        let guests = try await node.guests(of: conversation.name)
        return GuestsDocument(
            links: opening.map { links(to: $0.code) } ?? [],
            open: opening != nil,
            code: opening?.code.text,
            seats: opening?.seats ?? GuestBook.Opening.usualSeats,
            locked: opening?.isLocked ?? false,
            guests: guests.map { guest in
                GuestDocument(
                    seat: guest.seat,
                    name: guest.name,
                    participant: guest.participant.id.uuidString,
                    present: presence.presence(of: guest.participant.id, at: now) == .connected,
                    digits: door.digits(of: guest)
                )
            }
        )
    }

    /// Opens a conversation to guests, or changes how it is open.
    func open(_ name: String, _ request: GuestsRequest) async throws -> GuestsDocument {
        let conversation = try await conversation(named: name)
        guard conversation.role == .writer else {
            throw NodeError.readOnly(conversation: conversation.name)
        }
        if let seats = request.seats, !(1...Guest.countMax).contains(seats) {
            throw Problem.badInput("A conversation has 1 to \(Guest.countMax) seats for guests.")
        }
        guard let server = server.withLock({ $0 }) else {
            throw Problem(
                .nothingThere,
                "This node serves no page, so there is none for guests.",
                hint: "Start it without --no-web."
            )
        }
        try server.listen()
        do {
            _ = try door.open(conversation.id, seats: request.seats, isLocked: request.locked)
        } catch {
            throw Problem(.storeFailed, "The codes for guests cannot be kept: \(error).")
        }
        return try await document(of: name)
    }

    /// Makes the code of a conversation void; the guests inside stay.
    func close(_ name: String) async throws -> GuestsDocument {
        do {
            try door.close(try await conversation(named: name).id)
        } catch let error as KeptFile.Failure {
            throw Problem(.storeFailed, "The codes for guests cannot be kept: \(error).")
        }
        return try await document(of: name)
    }

    /// Gives a guest another name.
    func rename(_ seat: Int, in name: String, to text: String) async throws -> GuestsDocument {
        _ = try await node.change(try await guest(at: seat, in: name), name: text)
        return try await document(of: name)
    }

    /// Takes a seat from its guest, whose page ends at once, and makes the guest's code void.
    func remove(_ seat: Int, from name: String) async throws -> GuestsDocument {
        let guest = try await guest(at: seat, in: name)
        do {
            try door.renewCode(of: guest.conversationID)
        } catch {
            throw Problem(.storeFailed, "The codes for guests cannot be kept: \(error).")
        }
        try await node.remove(guest)
        door.forget(guest)
        await changed()
        return try await document(of: name)
    }

    // MARK: Inside

    private func guest(at seat: Int, in name: String) async throws -> Guest {
        guard let guest = try await node.guests(of: name).first(where: { $0.seat == seat }) else {
            throw NodeError.unknownGuest
        }
        return guest
    }

    private func conversation(named name: String) async throws -> Conversation {
        guard let found = try await node.conversations().first(where: { $0.isCalled(name) }) else {
            throw NodeError.unknownConversation(name)
        }
        return found
    }

    private func links(to code: GuestCode) -> [String] {
        guard let address = door.address else { return [] }
        return PageAddress.reachable(port: address.port).map { "http://\($0)/g/\(code.text)" }
    }
}
