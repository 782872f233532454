import Foundation
import Hummingbird
import MessagesHost
import NIOCore
import ParleyAPI
import ParleyNode

/// The routes by which people place stickers on messages and peel them off.
struct StickerRoutes: Sendable {
    let apps: AppHost

    /// The limit of the body of a request, in bytes.
    private static let bodyBytesMax = 16 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.post("conversations/{name}/stickers") { request, context in
            let document = try await request.document(
                PlaceDocument.self,
                atMost: Self.bodyBytesMax
            )
            let sent = try await place(document, in: try context.part("name"))
            return try JSON.response(sent, status: 201)
        }
        group.delete("conversations/{name}/stickers/{sticker}") { _, context in
            let sticker = try Self.session(try context.part("sticker"))
            _ = try await apps.peelOff(sticker, in: try context.part("name"))
            return Response(status: .noContent)
        }
    }

    @MainActor
    private func place(_ document: PlaceDocument, in name: String) async throws -> SentMessage {
        let placement = try Placement(document)
        let sticker = try Self.session(document.sticker)
        guard let panel = apps.knownPanel(document.app, in: name) else {
            throw HostError.nothingThere
        }
        return try await panel.place(sticker, at: placement)
    }

    private static func session(_ text: String) throws -> SessionID {
        guard let uuid = UUID(uuidString: text) else {
            throw Problem.badInput("The sticker \(text.quoted) is not a UUID.")
        }
        return SessionID(uuid)
    }
}
