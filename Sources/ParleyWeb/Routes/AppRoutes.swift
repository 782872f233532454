import Foundation
import Hummingbird
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

/// The routes of `/v1` for apps.
struct AppRoutes: Sendable {
    let apps: AppHost

    /// The limit of a request body, in bytes.
    private static let bodyBytesMax = 256 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("apps") { _, _ in
            try JSON.response(await documents())
        }
        let path: RouterPath = "conversations/{name}/apps/{app}"
        group.get(path) { _, context in
            try JSON.response(try await screen(try await panel(context)))
        }
        group.post(path) { request, context in
            let panel = try await panel(context)
            try await perform(try await document(request), on: panel)
            return try JSON.response(try await screen(panel))
        }
        addPanels(to: group)
    }

    /// Adds the routes by which pages show apps.
    func addPanels(to group: RouterGroup<BasicRequestContext>) {
        group.get("conversations/{name}/apps/{app}/panel") { _, context in
            try JSON.response(await views(of: try await panel(context)))
        }
        group.post("conversations/{name}/apps/{app}/panel") { request, context in
            let panel = try await panel(context)
            try await perform(try await document(request), on: panel)
            return try JSON.response(await views(of: panel))
        }
    }

    // MARK: Actions

    @MainActor
    private func perform(_ request: AppRequest, on panel: AppPanel) async throws {
        switch request.deed {
        case .open: try panel.open()
        case .close: panel.close()
        case .expand: panel.setStyle(.expanded)
        case .collapse: panel.setStyle(.compact)
        case .act:
            try ViewAct(request).perform { action, node, version throws(ParleyView.ActionError) in
                try panel.perform(action, on: node, seenIn: version)
            }
        case .tap: try await tap(request.message, isJoining: request.join ?? false, on: panel)
        case .send: try await panel.sendField()
        case .removeDraft: panel.deleteDraft()
        case .type:
            let text = request.text ?? ""
            _ = try OutgoingMessage.draft(text: text)
            panel.text = text
        }
        await apps.finishTurn()
    }

    @MainActor
    private func tap(_ message: String?, isJoining: Bool, on panel: AppPanel) async throws {
        guard let message else { return try panel.tapDraft() }
        guard let id = MessageID(message) else {
            throw Problem.badInput("The message ID \(message.quoted) is malformed.")
        }
        let result = await withCheckedContinuation { done in
            panel.tap(id) { done.resume(returning: $0) }
        }
        try result.get()
        if isJoining { try await apps.join(id, in: panel.conversation) }
    }

    // MARK: Helpers

    @MainActor
    private func documents() -> [AppDocument] {
        apps.apps.map { AppDocument($0, runsHeadless: apps.runsHeadless($0)) }
    }

    func panel(_ context: BasicRequestContext) async throws -> AppPanel {
        let conversation = try context.part("name")
        let app = try await apps.app(called: try context.part("app"))
        return try await apps.panel(app, in: conversation)
    }

    @MainActor
    private func views(of panel: AppPanel) -> PanelDocument {
        PanelDocument(panel, serial: apps.nextSerial())
    }

    private func screen(_ panel: AppPanel) async throws -> ScreenDocument {
        try await ScreenDocument(panel, apps)
    }

    private func document(_ request: Request) async throws -> AppRequest {
        try await request.document(AppRequest.self, atMost: Self.bodyBytesMax)
    }
}
