import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

/// The routes of `/v1` for pairing.
struct PairingRoutes: Sendable {
    let node: Node

    /// The limit of a request body, in bytes.
    private static let bodyBytesMax = 4 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("pairings") { _, _ in
            try JSON.response(await node.pairings().map(PairingDocument.init))
        }
        group.post("pairings") { request, _ in
            try JSON.response(PairingDocument(try await start(request)), status: 201)
        }
        group.post("pairings/{pairing}/confirm") { _, context in
            let id = try context.part("pairing")
            return try JSON.response(PairingDocument(try await node.confirmPairing(id)))
        }
        group.delete("pairings/{pairing}") { _, context in
            try await node.cancelPairing(try context.part("pairing"))
            return Response(status: .noContent)
        }
    }

    private func start(_ request: Request) async throws -> PairingState {
        let wanted = try await request.document(PairRequest.self, atMost: Self.bodyBytesMax)
        guard let role = Role(rawValue: wanted.role ?? Role.writer.rawValue) else {
            throw Problem.badInput(
                "\((wanted.role ?? "").quoted) is not a role.",
                hint: "writer, reader or relay"
            )
        }
        return try await node.pair(with: wanted.device, sharing: wanted.conversation, role: role)
    }
}
