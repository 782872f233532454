import Hummingbird
import MessagesHost
import ParleyAPI
import ParleyNode

/// The page of one guest: the apps that the guest uses, and the routes that the page may use.
///
/// A room is made with the first request of a guest. It has no route to anything else.
@MainActor
final class GuestRoom {
    let guest: Guest
    nonisolated let responder: RouterResponder<BasicRequestContext>
    private let apps: AppHost
    private let feed: PageFeed

    /// What is kept for a guest's page, which has only one conversation.
    private nonisolated static let ring = EventRing.Limits(events: 512, bytes: 512 << 10)

    /// The streams of one guest: tabs share one, and a lost one may take a while to end.
    private nonisolated static let streamsMax = 4

    private init(
        _ guest: Guest,
        _ apps: AppHost,
        _ feed: PageFeed,
        _ responder: RouterResponder<BasicRequestContext>
    ) {
        self.guest = guest
        self.apps = apps
        self.feed = feed
        self.responder = responder
    }

    /// Opens the page of a guest, with the apps of its host that people use.
    static func open(
        for guest: Guest,
        on node: Node,
        beside host: AppHost,
        door: GuestDoor,
        presence: GuestPresence
    ) async -> GuestRoom {
        let guestNode = GuestNode(node, guest: guest)
        let apps = await AppHost.start(
            host.apps.filter { !$0.startsHeadless },
            using: guestNode,
            settings: host.settings
        )
        let feed = PageFeed(
            node: guestNode,
            apps: apps,
            joins: JoinTable(keepingIn: nil),
            guests: presence,
            limits: ring
        )
        let place = GuestPlace(guest: guest, node: node, door: door, presence: presence)
        let router = GuestRoutes(
            place: place,
            node: guestNode,
            apps: apps,
            feed: feed,
            permits: StreamPermits(limit: streamsMax)
        ).router
        return GuestRoom(guest, apps, feed, router.buildResponder())
    }

    /// Ends the streams of the guest's pages, and closes the apps.
    func close() {
        feed.dismissReaders()
        apps.stop()
    }
}

/// The seat of a guest, as the guest's page shows it.
struct GuestPlace: Sendable {
    let guest: Guest
    let node: Node
    let door: GuestDoor
    let presence: GuestPresence

    /// The document, with the present name and digits.
    func document() async throws -> GuestPlaceDocument {
        let present = try await node.guests(of: guest.conversation)
            .first { $0.participant.id == guest.participant.id }
        return GuestPlaceDocument(
            host: try await node.status().name,
            conversation: guest.conversation,
            seat: guest.seat,
            name: present?.name ?? guest.name,
            digits: door.digits(of: guest)
        )
    }
}
