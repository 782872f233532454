import Foundation
import Hummingbird
import ParleyNode

/// The route of the stream of events that keeps a page up to date.
struct FeedRoutes: Sendable {
    let feed: PageFeed
    /// The guest whose page it is, and where the presence is noted; nil for the node's owner.
    var guest: (id: UUID, presence: GuestPresence)?

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("events") { request, _ in
            let lastID =
                request.headers[.lastEventID]
                ?? request.uri.queryParameters["after"].map(String.init)
            let response = await FeedResponse(feed: feed, lastID: lastID).response()
            guard let guest else { return response }
            return noting(guest, in: response)
        }
    }

    /// The response, while which the guest is present.
    private func noting(
        _ guest: (id: UUID, presence: GuestPresence),
        in response: Response
    ) -> Response {
        let (id, presence) = guest
        var noting = response
        noting.body = ResponseBody { writer in
            presence.came(id)
            defer { presence.went(id) }
            try await response.body.write(writer)
        }
        return noting
    }
}
