import Foundation
import Hummingbird
import Messages
import MessagesHost
import NIOCore
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
            try await perform(try await document(request, context), on: panel)
            return try JSON.response(try await screen(panel))
        }
        group.get("conversations/{name}/apps/{app}/panel") { _, context in
            try JSON.response(await views(of: try await panel(context)))
        }
        group.post("conversations/{name}/apps/{app}/panel") { request, context in
            let panel = try await panel(context)
            try await perform(try await document(request, context), on: panel)
            return try JSON.response(await views(of: panel))
        }
        group.get("conversations/{name}/apps/{app}/events") { _, context in
            ScreenEvents(apps: apps, panel: try await panel(context)).response()
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
        case .act: try act(request, on: panel)
        case .tap: try await tap(request.message, on: panel)
        case .send: try await panel.sendField()
        case .removeDraft: panel.deleteDraft()
        case .type:
            let text = request.text ?? ""
            guard text.utf8.count <= MessageLimits.captionBytes else {
                throw HostError.tooLarge(
                    what: "the text",
                    size: text.utf8.count,
                    limit: MessageLimits.captionBytes
                )
            }
            panel.text = text
        }
    }

    @MainActor
    private func act(_ request: AppRequest, on panel: AppPanel) throws {
        guard let node = request.node, let version = request.version else {
            throw Problem.badInput("An action needs node, version and kind.")
        }
        let action: View.Action
        switch request.kind {
        case "press": action = .press
        case "edit": action = .edit(request.text ?? "")
        case "submit": action = .submit(request.text ?? "")
        case "draw": action = .draw(try stroke(request.stroke))
        default: throw Problem.badInput("The kind of an action is press, edit, submit or draw.")
        }
        do throws(View.ActionError) {
            // In the order of the names, as texts are told in any order but press comes last.
            for (field, text) in (request.fields ?? [:]).sorted(by: { $0.key < $1.key }) {
                try panel.perform(.edit(text), on: View.Identity(field), seenIn: version)
            }
            try panel.perform(action, on: View.Identity(node), seenIn: version)
        } catch {
            throw Problem(error)
        }
    }

    private func stroke(_ document: StrokeDocument?) throws -> View.Stroke {
        guard let document, document.points.allSatisfy({ $0.count == 2 }) else {
            throw Problem.badInput("To draw needs a stroke, with two numbers for each point.")
        }
        return View.Stroke(
            points: document.points.map { CGPoint(x: $0[0], y: $0[1]) },
            width: document.width
        )
    }

    @MainActor
    private func tap(_ message: String?, on panel: AppPanel) async throws {
        guard let message else { return try panel.tapDraft() }
        guard let id = MessageID(message) else {
            throw Problem.badInput("The message ID \(message.quoted) is malformed.")
        }
        let result = await withCheckedContinuation { done in
            panel.tap(id) { done.resume(returning: $0) }
        }
        try result.get()
    }

    // MARK: Helpers

    @MainActor
    private func documents() -> [AppDocument] {
        apps.apps.map { AppDocument($0, runsHeadless: apps.runsHeadless($0)) }
    }

    private func panel(_ context: BasicRequestContext) async throws -> AppPanel {
        let conversation = try Self.parameter("name", context)
        let app = try await apps.app(called: try Self.parameter("app", context))
        return try await apps.panel(app, in: conversation)
    }

    @MainActor
    private func views(of panel: AppPanel) -> PanelDocument {
        PanelDocument(panel, serial: apps.nextSerial())
    }

    private func screen(_ panel: AppPanel) async throws -> ScreenDocument {
        try await ScreenDocument(panel, apps)
    }

    private func document(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> AppRequest {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Self.bodyBytesMax)
        } catch {
            let limit = Self.bodyBytesMax
            throw Problem(.tooLarge, "The request has more than \(limit) bytes.")
        }
        do {
            return try JSON.decode(AppRequest.self, from: Data(buffer.readableBytesView))
        } catch {
            throw Problem(.badJSON, "The request is not the expected JSON: \(error)")
        }
    }

    private static func parameter(
        _ name: String,
        _ context: BasicRequestContext
    ) throws -> String {
        guard let raw = context.parameters.get(name), let text = raw.removingPercentEncoding
        else { throw Problem.badInput("The path has no \(name).") }
        return text
    }
}
