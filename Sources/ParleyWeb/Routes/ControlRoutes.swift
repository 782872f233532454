import Foundation
package import Hummingbird
package import MessagesHost
import NIOCore
import ParleyAPI
package import ParleyNode

/// The routes of `/v1`; `docs/openapi.yaml` describes them.
package struct ControlRoutes: Sendable {
    let node: Node
    let apps: AppHost
    /// Decides who may see the page; nil if the node serves none.
    let door: PageDoor?
    /// The guests of the node; nil if the node serves no page.
    let guests: (any GuestAccess)?
    /// The kept files of the page with unexpected contents.
    package let damagedFiles: [String]
    private let joins: JoinTable
    private let feed: PageFeed
    private let permits = StreamPermits(limit: StreamLimit.streamsMax)

    /// The limit of a request body, in bytes: a picture of 4 MiB in base64 and its message.
    static let bodyBytesMax = 6 << 20

    /// The routes of a started node and its apps, and of the page if there is a door.
    package init(
        node: Node,
        apps: AppHost,
        door: PageDoor? = nil,
        guests: (any GuestAccess)? = nil
    ) {
        self.guests = guests
        self.node = node
        self.apps = apps
        self.door = door
        joins = JoinTable(keepingIn: node.keptFile(named: "joined"))
        damagedFiles =
            (joins.wasDamaged ? ["joined"] : []) + (door?.wasDamaged == true ? ["page.key"] : [])
            + (guests?.wasDamaged == true ? ["guests.json"] : [])
        feed = PageFeed(node: node, apps: apps, joins: joins, guests: guests?.presence)
    }

    /// The responder to requests, with or without a socket in front of it.
    package var router: Router<BasicRequestContext> {
        let router = Self.newRouter()
        router.add(middleware: ProblemMiddleware())
        addV1(to: router, streams: router.group("v1"))
        DeviceRoutes(node: node).add(to: router.group("v1"))
        return router
    }

    /// The responder to requests of browsers: the page, and the same `/v1` as everywhere.
    package func pageRouter(_ door: PageDoor) -> Router<BasicRequestContext> {
        let router = Self.newRouter()
        router.add(middleware: PageGate(door: door))
        router.add(middleware: ProblemMiddleware())
        addV1(
            to: router,
            streams: router.group("v1").add(middleware: StreamLimit(permits: permits))
        )
        EnterRoute(door: door).add(to: router)
        PageRoutes(door: door, shell: PageShell(node: node)).add(to: router)
        PictureRoutes(node: node, apps: apps, feed: feed).add(to: router)
        return router
    }

    static func newRouter() -> Router<BasicRequestContext> {
        Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
    }

    /// Adds the API; responses that do not end by themselves are routes of `streams`.
    private func addV1(
        to router: Router<BasicRequestContext>,
        streams: RouterGroup<BasicRequestContext>
    ) {
        let v1 = router.group("v1")
        addNode(v1)
        addConversations(v1)
        addMessages(v1)
        MemberRoutes(node: node).add(to: v1)
        addStreams(streams)
        FeedRoutes(feed: feed).add(to: streams)
        guests?.addRoutes(to: v1)
        AppRoutes(apps: apps).add(to: v1)
        PageLinkRoutes(node: node, door: door, feed: feed, permits: permits).add(to: v1)
        PairingRoutes(node: node).add(to: v1)
        FileRoutes(node: node).add(to: v1, ofOwner: node)
        PageAPIRoutes(node: node, apps: apps, feed: feed).add(to: v1)
        StickerRoutes(apps: apps).add(to: v1)
        OwnMessageRoutes(apps: apps).add(to: v1)
        LiveRoutes(feed: feed).add(to: v1)
    }

    private func addNode(_ group: RouterGroup<BasicRequestContext>) {
        group.get("status") { _, _ in
            try JSON.response(try await node.status())
        }
        group.get("peers") { _, _ in
            try JSON.response(await node.peers())
        }
        group.get("nearby") { _, _ in
            try JSON.response(await node.nearby())
        }
        group.get("conflicts") { request, _ in try await conflicts(request, in: nil) }
    }

    private func addConversations(_ group: RouterGroup<BasicRequestContext>) {
        group.get("conversations") { _, _ in
            try JSON.response(try await node.keptConversations())
        }
        group.post("conversations") { request, context in
            let document = try await document(CreateDocument.self, of: request)
            let made = try await node.createConversation(named: document.name)
            return try JSON.response(made, status: 201)
        }
        group.delete("conversations/{name}") { request, context in
            let force = request.uri.queryParameters["force"] == "true"
            let name = try name(context)
            let left = try await node.conversations().first { $0.isCalled(name) }
            try await node.leaveConversation(named: name, force: force)
            if let left { await guests?.left(left.id) }
            return Response(status: .noContent)
        }
        group.post("join") { request, context in
            let document = try await document(JoinDocument.self, of: request)
            let joined = try await node.join(document.link, as: document.name)
            joins.note(joined.id, among: try await node.conversations())
            return try JSON.response(joined, status: 201)
        }
        group.post("conversations/{name}/invites") { request, context in
            let document = try await document(InviteRequest.self, of: request)
            guard let role = Role(rawValue: document.role) else {
                throw Problem.badInput(
                    "\(document.role.quoted) is not a role.",
                    hint: "writer, reader or relay"
                )
            }
            let invite = try await node.invite(document, as: role, to: try name(context))
            return try JSON.response(invite, status: 201)
        }
        group.get("invites") { _, _ in try JSON.response(try await node.invites()) }
        group.delete("invites/{number}") { _, context in
            let text = try context.part("number")
            guard let number = Int(text) else {
                throw Problem.badInput("\(text.quoted) is not the number of an invite.")
            }
            try await node.revokeInvite(number)
            return Response(status: .noContent)
        }
    }

    private func addMessages(_ group: RouterGroup<BasicRequestContext>) {
        group.post("conversations/{name}/messages") { request, context in
            let document = try await document(SendDocument.self, of: request)
            return try JSON.response(try await sent(document, to: try name(context)), status: 201)
        }
        group.get("conversations/{name}/transcript") { request, context in
            let page = try await node.transcript(
                of: try name(context),
                at: try request.transcriptPlace,
                limit: try request.pageLimit
            )
            return try JSON.response(page)
        }
        group.get("conversations/{name}/conflicts") { request, context in
            try await conflicts(request, in: try name(context))
        }
        SearchRoutes(node: node).add(to: group)
        group.get("sessions/{session}") { _, context in
            let detail = try await node.session(try session(context))
            return try JSON.response(detail)
        }
        group.get("sessions/{session}/history") { _, context in
            let detail = try await node.session(try session(context))
            return try JSON.response(detail.history)
        }
        group.get("sessions/{session}/messages/{message}/picture") { _, context in
            try await picture(context)
        }
    }

    private func addStreams(_ group: RouterGroup<BasicRequestContext>) {
        group.post("conversations/{name}/batch") { request, context in
            let name = try name(context)
            guard try await node.conversations().contains(where: { $0.isCalled(name) }) else {
                throw NodeError.unknownConversation(name)
            }
            return BatchResponse(node: node, conversation: name).response(to: request)
        }
        group.get("conversations/{name}/transcript/events") { request, context in
            let limit = try request.number("limit", from: 0)
            return try await FollowResponse(
                node: node,
                conversation: try name(context),
                limit: limit
            ).response()
        }
        group.get("conversations/{name}/apps/{app}/events") { _, context in
            let panel = try await AppRoutes(apps: apps).panel(context)
            return EventStream.response(
                "screen",
                { await apps.changes(in: panel.conversation) },
                { (last: ScreenDocument?) in
                    let screen = try await ScreenDocument(panel, apps)
                    return screen.isSame(as: last) ? nil : screen
                }
            )
        }
        group.get("pairings/events") { _, _ in
            EventStream.response(
                "pairings",
                {
                    let pairings = await node.events().filter { event in
                        if case .pairing = event { true } else { false }
                    }
                    return pairings.map { _ in }
                },
                { (_: [PairingDocument]?) in await node.pairings().map(PairingDocument.init) }
            )
        }
    }

    // MARK: Helpers

    private func conflicts(_ request: Request, in conversation: String?) async throws -> Response {
        let conflicts = try await node.conflicts(
            in: conversation,
            after: conversation == nil
                ? nil : try request.uri.queryParameters["after"].map { try session(String($0)) },
            limit: try request.pageLimit
        )
        return try JSON.response(conflicts)
    }

    private func sent(
        _ document: SendDocument,
        to conversation: String
    ) async throws -> SentMessage {
        let (draft, wait) = try document.draft()
        do {
            return try await node.send(draft, to: conversation, wait: wait)
        } catch {
            throw Problem(error).naming(session: draft.session.description)
        }
    }

    private func picture(_ context: BasicRequestContext) async throws -> Response {
        let session = try session(context)
        let text = try context.part("message")
        guard let id = MessageID(text) else {
            throw Problem.badInput("The message ID \(text.quoted) is malformed.")
        }
        guard let bytes = try await node.pictureBytes(of: id, session: session) else {
            throw Problem(
                .unknownMessage,
                "The message has no picture, or it has not arrived yet."
            )
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/octet-stream"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private func document<Document: Decodable>(
        _ type: Document.Type,
        of request: Request
    ) async throws -> Document {
        try await request.document(
            type,
            atMost: Self.bodyBytesMax,
            hint: "A picture may have 4 MiB less 28 bytes."
        )
    }

    private func name(_ context: BasicRequestContext) throws -> String {
        try context.part("name")
    }

    private func session(_ context: BasicRequestContext) throws -> SessionID {
        try session(try context.part("session"))
    }

    private func session(_ text: String) throws -> SessionID {
        guard let uuid = UUID(uuidString: text) else {
            throw Problem.notASession(text)
        }
        return SessionID(uuid)
    }
}

/// Converts every error to a response with its problem.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let problem: Problem
        do {
            return try await next(request, context)
        } catch let error as Problem {
            problem = error
        } catch let error as NodeError {
            problem = Problem(error)
        } catch let error as HostError {
            problem = Problem(error)
        } catch let error as HTTPError where error.status == .notFound {
            problem = Problem(.unknownRoute, "There is no route \(request.uri.path.quoted).")
        } catch {
            problem = Problem(.internal, "\(error)")
        }
        // Several slashes are like one, as for the router.
        let parts = request.uri.path.split(separator: "/").dropFirst()
        let named = problem.naming(objectsOf: parts.joined(separator: "/"))
        return try named.response(to: request)
    }
}

extension Node {
    /// An invite as a request wants it: one that ends, if it says when.
    fileprivate func invite(
        _ request: InviteRequest,
        as role: Role,
        to name: String
    ) async throws -> Invite {
        guard request.seconds != nil || request.uses != nil else {
            return try await invite(to: name, role: role)
        }
        guard request.seconds.map(InviteDetail.secondsAllowed.contains) ?? true else {
            throw Problem.badInput("An invite lasts from a minute to a year.")
        }
        guard request.uses.map(InviteDetail.usesAllowed.contains) ?? true else {
            let most = InviteDetail.usesAllowed.upperBound
            throw Problem.badInput("An invite is for 1 to \(most) devices.")
        }
        return try await invite(
            to: name,
            role: role,
            lasting: request.seconds,
            uses: request.uses
        )
    }
}
