import Foundation
import Hummingbird
import MessagesHost
import ParleyNode

/// The rooms of the guests who have used their pages since the start.
@MainActor
final class GuestRooms {
    private let node: Node
    private let host: AppHost
    private let door: GuestDoor
    private let presence: GuestPresence
    /// By participant, each with the hash of the cookie's secret.
    private var rooms: [UUID: (secretHash: [UInt8], room: Task<GuestRoom, Never>)] = [:]

    nonisolated init(
        node: Node,
        host: AppHost,
        door: GuestDoor,
        presence: GuestPresence
    ) {
        self.node = node
        self.host = host
        self.door = door
        self.presence = presence
    }

    /// The room of a guest, made when it is used first; another cookie gets another room.
    func room(of guest: Guest) async -> GuestRoom {
        let id = guest.participant.id
        if let known = rooms[id], known.secretHash == guest.secretHash {
            return await known.room.value
        }
        let before = rooms[id]
        let opening = Task { [node, host, door, presence] in
            await GuestRoom.open(
                for: guest,
                on: node,
                beside: host,
                door: door,
                presence: presence
            )
        }
        rooms[id] = (guest.secretHash, opening)
        await before?.room.value.close()
        return await opening.value
    }

    /// Closes the rooms of all who are not guests any more.
    func keepOnly(_ guests: [Guest]) async {
        let present = Set(guests.map(\.participant.id))
        for (participant, known) in rooms where !present.contains(participant) {
            rooms[participant] = nil
            presence.forget(participant)
            await known.room.value.close()
        }
    }
}
