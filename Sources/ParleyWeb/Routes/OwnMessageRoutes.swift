import Foundation
import Hummingbird
import MessagesHost
import ParleyAPI
import ParleyNode

/// The routes by which people edit what they have sent, and take it back.
struct OwnMessageRoutes: Sendable {
    let apps: AppHost

    /// The limit of the body of a request, in bytes: a text in which each character is escaped.
    private static let bodyBytesMax = 256 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.put("conversations/{name}/own/{session}") { request, context in
            let (session, own) = try await place(context)
            let wanted = try await request.document(
                EditDocument.self,
                atMost: Self.bodyBytesMax
            )
            return try JSON.response(try await own.edit(session, to: wanted.text))
        }
        group.delete("conversations/{name}/own/{session}") { _, context in
            let (session, own) = try await place(context)
            _ = try await own.takeBack(session)
            return Response(status: .noContent)
        }
    }

    @MainActor
    private func place(_ context: BasicRequestContext) throws -> (SessionID, OwnMessages) {
        let text = try context.part("session")
        guard let uuid = UUID(uuidString: text) else { throw Problem.notASession(text) }
        return (SessionID(uuid), OwnMessages(apps, in: try context.part("name")))
    }
}
