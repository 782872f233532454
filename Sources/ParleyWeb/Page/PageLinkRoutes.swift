import Hummingbird
import ParleyAPI
import ParleyNode

/// The routes that make one-time links to the page, and QR codes.
struct PageLinkRoutes: Sendable {
    let node: Node
    /// Nil if the node serves no page.
    let door: PageDoor?
    let feed: PageFeed
    let permits: StreamPermits

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.post("page/links") { request, _ in
            let query = request.uri.queryParameters
            let made = try await link(
                to: query["conversation"].map(String.init),
                signingOut: query["signOut"] == "true"
            )
            return try JSON.response(made, status: 201)
        }
        group.post("page/code") { request, _ in
            let limit = Self.codeBytesMax
            let wanted = try await request.document(CodeRequest.self, atMost: Self.bodyBytesMax)
            guard (1...limit).contains(wanted.text.utf8.count) else {
                throw Problem.badInput("A QR code has 1 to \(limit) bytes.")
            }
            return try JSON.response(CodeDocument(svg: try QRCode(wanted.text).svg))
        }
    }

    /// The longest text of a QR code, in bytes.
    private static let codeBytesMax = 1_500
    /// The limit of the body of a request, in bytes.
    private static let bodyBytesMax = 256 << 10

    private func link(
        to conversation: String?,
        signingOut signsOut: Bool
    ) async throws -> PageLinkDocument {
        guard let door, door.address != nil else { throw await noPage }
        // The page finds a conversation only by the exact name in the node.
        var known: Conversation?
        if let conversation {
            known = try await node.conversations().first { $0.isCalled(conversation) }
            guard known != nil else { throw NodeError.unknownConversation(conversation) }
        }
        if signsOut {
            do {
                try door.changeLock()
            } catch {
                throw Problem(.storeFailed, "\(error)")
            }
            permits.endAll()
            await feed.dismissReaders()
        }
        guard let link = door.link() else { throw await noPage }
        let query = known.map { "?conversation=" + HTMLText.pathPart($0.name) } ?? ""
        return PageLinkDocument(link: link + query)
    }

    /// Why there is no page, and what to do about it.
    private var noPage: Problem {
        get async {
            let isRelay = (try? await node.status().isRelay) ?? false
            let (reason, remedy) =
                if isRelay {
                    (
                        "it is a relay, which cannot read its conversations",
                        "Open the page of a node that was started without --relay."
                    )
                } else if door == nil {
                    ("it was started with --no-web", "Start it without --no-web.")
                } else {
                    (
                        "it could not listen for browsers when it started",
                        "See its log, and start it with --web HOST:PORT and a port that is free."
                    )
                }
            return Problem(.nothingThere, "This node serves no page: \(reason).", hint: remedy)
        }
    }
}
