import Foundation
import Hummingbird
import Messages
import MessagesHost
import NIOCore
import ParleyAPI
import ParleyNode

/// The routes of `/v1` that pages use beside those of commands.
struct PageAPIRoutes: Sendable {
    let node: any MessagingNode
    let apps: AppHost
    let feed: PageFeed
    /// The guest whose page it is; nil for that of the node's owner.
    var guest: (@Sendable () async throws -> GuestPlaceDocument)?

    /// The limit of the body of most requests, in bytes.
    private static let bodyBytesMax = 256 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("page") { _, _ in try JSON.response(try await page()) }
        group.get("conversations/{name}/entries") { request, context in
            try JSON.response(try await entries(request, try context.part("name")))
        }
        group.get("conversations/{name}/sessions/{session}") { _, context in
            let text = try context.part("session")
            guard let uuid = UUID(uuidString: text) else {
                throw Problem.notASession(text)
            }
            return try JSON.response(
                try await session(SessionID(uuid), in: try context.part("name"))
            )
        }
        group.post("conversations/{name}/field") { request, context in
            let name = try context.part("name")
            return try await perform(try await fieldRequest(request), in: name)
        }
        group.post("attachments/check") { request, _ in
            let file = try CheckedFile(
                try await fileBytes(request),
                name: Self.fileName(request)
            )
            return try JSON.response(CheckedFileDocument(file))
        }
        group.post("conversations/{name}/attachments") { request, context in
            let sent = try await attach(request, to: try context.part("name"))
            return try JSON.response(sent, status: 201)
        }
    }

    // MARK: Reading

    private func page() async throws -> PageDocument {
        await feed.start()
        // The event comes first: a change while the rest is read is in a later event.
        let event = await feed.lastID
        let status = try await node.status()
        let lists = await feed.maker.lists()
        var conversations = lists.conversations
        for index in conversations.indices where conversations[index].role != Role.relay.rawValue {
            let name = conversations[index].name
            guard let last = try await apps.bubbles(of: name, last: 1).last else { continue }
            conversations[index].last = await feed.maker.entry(last, in: name)
            conversations[index].myTurn = await apps.isMyTurn(in: name) ? true : nil
        }
        return await screens(
            PageDocument(
                event: event,
                device: status.device,
                name: status.name,
                guest: try await guest?(),
                version: status.version,
                conversations: conversations,
                apps: [],
                nearby: lists.nearby,
                discovery: lists.discovery,
                peers: lists.peers,
                pairings: lists.pairings,
                panels: [],
                fields: []
            )
        )
    }

    /// The page with its apps and input fields.
    @MainActor
    private func screens(_ page: PageDocument) -> PageDocument {
        var page = page
        page.apps = apps.apps.map { AppDocument($0, runsHeadless: apps.runsHeadless($0)) }
        for app in apps.apps {
            guard let icon = app.icon else { continue }
            page.icons[app.id] = IconDocument(type: icon.format.mediaType, data: icon.data)
        }
        page.panels = apps.orderedPanels.filter { $0.isOpen && !$0.isHeadless }.map {
            PanelDocument($0, serial: apps.nextSerial())
        }
        page.fields = page.conversations.map(\.name).compactMap { name in
            let field = FieldDocument(apps.panels(in: name), in: name)
            return field.parts.isEmpty ? nil : field
        }
        return page
    }

    private func entries(_ request: Request, _ name: String) async throws -> PageEntriesDocument {
        let limit = try request.pageLimit
        let cursor = try request.cursor("before")
        await feed.start()
        let event = await feed.lastID
        let part = try await apps.part(of: name, last: limit, before: cursor)
        var entries: [PageEntryDocument] = []
        for bubble in part.bubbles { entries.append(await feed.maker.entry(bubble, in: name)) }
        return PageEntriesDocument(
            event: event,
            entries: entries,
            next: part.next?.description
        )
    }

    private func session(
        _ session: SessionID,
        in name: String
    ) async throws -> PageSessionDocument {
        let detail = try await node.session(session, in: name)
        let bubbles = try await apps.bubbles(detail)
        let maker = feed.maker
        let heads = 1 + detail.others.count
        var others: [PageEntryDocument] = []
        for bubble in bubbles.others {
            others.append(await maker.entry(bubble, in: name, heads: heads))
        }
        var replaced: [PageEntryDocument] = []
        for bubble in bubbles.replaced { replaced.append(await maker.entry(bubble, in: name)) }
        return PageSessionDocument(
            shown: await maker.entry(bubbles.shown, in: name, heads: heads),
            others: others,
            replaced: replaced
        )
    }

    // MARK: The input field

    private func fieldRequest(_ request: Request) async throws -> FieldRequest {
        try await request.document(FieldRequest.self, atMost: Self.bodyBytesMax)
    }

    @MainActor
    private func perform(_ request: FieldRequest, in name: String) async throws -> Response {
        switch request.deed {
        case .send:
            try await send(request.text ?? "", replyingTo: try request.replied, in: name)
        case .removeDraft:
            try panel(request, name).clearField()
        case .takeText:
            let panel = try panel(request, name)
            let text = panel.text
            panel.text = ""
            return try JSON.response(TakenTextDocument(text: text))
        }
        return try JSON.response(FieldDocument(apps.panels(in: name), in: name))
    }

    /// Sends the items of apps in the field and then the text, so that a failed request can be
    /// repeated without sending the text twice.
    @MainActor
    private func send(
        _ text: String,
        replyingTo reply: SessionID?,
        in name: String
    ) async throws {
        _ = try OutgoingMessage.draft(text: text)
        let filled = apps.panels(in: name).filter { !$0.isHeadless && $0.isFieldFilled }
        guard !text.isEmpty || !filled.isEmpty else { throw HostError.nothingThere }
        for panel in filled { try await panel.sendField() }
        guard !text.isEmpty else { return }
        _ = try await apps.send(text: text, replyingTo: reply, to: name)
    }

    @MainActor
    private func panel(_ request: FieldRequest, _ name: String) throws -> AppPanel {
        guard let app = request.app, let panel = apps.knownPanel(app, in: name) else {
            throw HostError.nothingThere
        }
        return panel
    }

    private func attach(_ request: Request, to name: String) async throws -> SentMessage {
        try await apps.send(
            file: try await fileBytes(request),
            name: Self.fileName(request),
            keepsMetadata: request.uri.queryParameters["metadata"] == "keep",
            to: name
        )
    }

    private func fileBytes(_ request: Request) async throws -> Data {
        Data(try await request.bytes(atMost: MessageLimits.pictureBytes).readableBytesView)
    }

    private static func fileName(_ request: Request) -> String {
        let name = request.uri.queryParameters["name"].map(String.init) ?? ""
        return name.isEmpty ? "file" : name
    }
}

extension FieldRequest {
    /// The session that the text replies to.
    fileprivate var replied: SessionID? {
        get throws(Problem) {
            try reply.map { (text) throws(Problem) in
                guard let uuid = UUID(uuidString: text) else { throw .notASession(text) }
                return SessionID(uuid)
            }
        }
    }
}
