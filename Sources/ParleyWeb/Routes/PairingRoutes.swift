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

/// The pairings as server-sent events: the present ones, and all of them after every change.
struct PairingEvents: Sendable {
    let node: Node

    /// The interval of the comments that keep the connection alive.
    private static let heartbeat = Duration.seconds(15)

    func response() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await follow(&writer)
                try await writer.finish(nil)
            }
        )
    }

    private func follow(_ writer: inout any ResponseBodyWriter) async throws {
        let changes = await node.events().filter { event in
            if case .pairing = event { true } else { false }
        }
        try await Heartbeat.follow(changes.map { _ in }, every: Self.heartbeat) { isChange in
            guard isChange else {
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
                return true
            }
            let pairings = await node.pairings().map(PairingDocument.init)
            var buffer = ByteBuffer(string: "event: pairings\ndata: ")
            buffer.writeBytes(try JSON.encode(pairings))
            buffer.writeString("\n\n")
            try await writer.write(buffer)
            return true
        }
    }
}
