import Foundation
import Hummingbird
import MessagesHost
import ParleyAPI
import ParleyNode

/// The routes that the page of a guest may use; `docs/openapi.yaml` names them.
struct GuestRoutes: Sendable {
    let place: GuestPlace
    let node: GuestNode
    let apps: AppHost
    let feed: PageFeed
    let permits: StreamPermits

    var router: Router<BasicRequestContext> {
        let keeper = place.door.keeper(of: place.guest)
        let router = ControlRoutes.newRouter()
        router.add(middleware: PageGate(door: keeper))
        router.add(middleware: ProblemMiddleware())
        PageRoutes(door: keeper, shell: PageShell(node: place.node)).add(to: router)
        PictureRoutes(node: node, apps: apps, feed: feed).add(to: router)
        let v1 = router.group("v1")
        PageAPIRoutes(node: node, apps: apps, feed: feed, guest: { try await place.document() })
            .add(to: v1)
        AppRoutes(apps: apps).addPanels(to: v1)
        StickerRoutes(apps: apps).add(to: v1)
        OwnMessageRoutes(apps: apps).add(to: v1)
        LiveRoutes(feed: feed).add(to: v1)
        SearchRoutes(node: node).add(to: v1)
        FileRoutes(node: node).add(to: v1)
        FeedRoutes(feed: feed, guest: (place.guest.participant.id, place.presence))
            .add(to: router.group("v1").add(middleware: StreamLimit(permits: permits)))
        v1.post("guest") { request, _ in
            let wanted = try await request.document(
                GuestNameDocument.self,
                atMost: Self.bodyBytesMax
            )
            _ = try await place.node.change(place.guest, name: wanted.name)
            return try JSON.response(try await place.document())
        }
        return router
    }

    /// The limit of the body of a request for another name, in bytes.
    private static let bodyBytesMax = 4 << 10
}
