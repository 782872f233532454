import Foundation
import Hummingbird
import MessagesHost
import ParleyAPI
import ParleyNode

/// The routes by which people edit what they have sent, take it back, and react to messages.
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
        addReactions(to: group)
    }

    private func addReactions(to group: RouterGroup<BasicRequestContext>) {
        group.put("conversations/{name}/reactions/{message}") { request, context in
            let (message, own) = try await target(context)
            let wanted = try await request.document(
                ReactionDocument.self,
                atMost: Self.bodyBytesMax
            )
            return try JSON.response(try await own.react(to: message, with: wanted.emoji))
        }
        group.delete("conversations/{name}/reactions/{message}") { _, context in
            let (message, own) = try await target(context)
            _ = try await own.react(to: message, with: nil)
            return Response(status: .noContent)
        }
    }

    @MainActor
    private func target(_ context: BasicRequestContext) throws -> (MessageID, OwnMessages) {
        let text = try context.part("message")
        guard let message = MessageID(text) else {
            throw Problem.badInput("The message ID \(text.quoted) is malformed.")
        }
        return (message, OwnMessages(apps, in: try context.part("name")))
    }

    @MainActor
    private func place(_ context: BasicRequestContext) throws -> (SessionID, OwnMessages) {
        let text = try context.part("session")
        guard let uuid = UUID(uuidString: text) else { throw Problem.notASession(text) }
        return (SessionID(uuid), OwnMessages(apps, in: try context.part("name")))
    }
}
