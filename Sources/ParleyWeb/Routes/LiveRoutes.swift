import Foundation
import Hummingbird
import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

/// The route of `/v1` for bubbles that apps draw.
struct LiveRoutes: Sendable {
    let feed: PageFeed

    /// The limit of a request body, in bytes.
    private static let bodyBytesMax = 256 << 10
    /// The widest and highest bubble, in points.
    private static let sizeMax = 2_000.0

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.post("conversations/{name}/live/{message}") { request, context in
            let wanted = try await request.document(AppRequest.self, atMost: Self.bodyBytesMax)
            let name = try context.part("name")
            guard let message = MessageID(try context.part("message")) else {
                throw Problem.badInput("The message ID is malformed.")
            }
            return try JSON.response(try await perform(wanted, message, in: name))
        }
    }

    @MainActor
    private func perform(
        _ request: AppRequest,
        _ message: MessageID,
        in name: String
    ) async throws -> LiveDocument {
        let sizes = [request.width ?? 0, request.height ?? 0]
        guard sizes.allSatisfy({ (1...Self.sizeMax).contains($0) }) else {
            throw Problem.badInput("A bubble is 1 to \(Int(Self.sizeMax)) points wide and high.")
        }
        switch request.deed {
        case .open: break
        case .act:
            let act = try ViewAct(request)
            guard let bubble = feed.live.bubble(message, in: name) else {
                throw Problem(ParleyView.ActionError.notFound)
            }
            try act.perform { action, node, version throws(ParleyView.ActionError) in
                try bubble.perform(action, on: node, seenIn: version)
            }
        default: throw Problem.badInput("What a bubble takes is open or act.")
        }
        return try await feed.show(
            message,
            in: name,
            offered: CGSize(width: sizes[0], height: sizes[1])
        )
    }
}
