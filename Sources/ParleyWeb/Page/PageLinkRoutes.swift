import Hummingbird
import ParleyAPI

/// The route that makes one-time links to the page.
struct PageLinkRoutes: Sendable {
    /// Nil if the node serves no page.
    let door: PageDoor?
    let feed: PageFeed
    let permits: StreamPermits

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.post("page/links") { request, _ in
            let signsOut = request.uri.queryParameters["signOut"] == "true"
            return try JSON.response(try await link(signingOut: signsOut), status: 201)
        }
    }

    private func link(signingOut signsOut: Bool) async throws -> PageLinkDocument {
        guard let door, door.address != nil else { throw Self.noPage }
        if signsOut {
            do {
                try door.changeLock()
            } catch {
                throw Problem(.storeFailed, "\(error)")
            }
            permits.endAll()
            await feed.dismissReaders()
        }
        guard let link = door.link() else { throw Self.noPage }
        return PageLinkDocument(link: link)
    }

    private static var noPage: Problem {
        Problem(
            .nothingThere,
            "This node serves no page.",
            hint: "Start it without --no-web."
        )
    }
}
