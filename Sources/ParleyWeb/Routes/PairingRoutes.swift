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
        group.get("person") { _, _ in try JSON.response(try await person()) }
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

    /// The person of the node's device, with the devices that are linked or in conversations.
    private func person() async throws -> PersonDocument {
        let (person, status) = (try await NodeKeys(of: node).person(), try await node.status())
        let own = PersonDocument.Device(device: status.device, name: status.name, own: true)
        var devices: [String: PersonDocument.Device] = [:]
        for (id, name) in try await NodeKeys(of: node).linkedDevices() {
            devices[id] = PersonDocument.Device(device: id, name: name, own: false)
        }
        for participant in try await node.conversations().flatMap(\.people) {
            guard let person, participant.person?.id == person.id,
                participant.device != status.device
            else { continue }
            devices[participant.device] = PersonDocument.Device(
                device: participant.device,
                name: participant.name,
                own: false
            )
        }
        return PersonDocument(
            id: person?.id,
            name: person?.name,
            devices: [own] + devices.values.sorted { $0.device < $1.device }
        )
    }

    private func start(_ request: Request) async throws -> PairingState {
        let wanted = try await request.document(PairRequest.self, atMost: Self.bodyBytesMax)
        if wanted.own == true {
            guard wanted.conversation == nil, wanted.role == nil else {
                throw Problem.badInput(
                    "An own device gets all conversations.",
                    hint: "Leave conversation and role out."
                )
            }
            return try await NodeKeys(of: node).link(ownDevice: wanted.device)
        }
        guard let role = Role(rawValue: wanted.role ?? Role.writer.rawValue) else {
            throw Problem.badInput(
                "\((wanted.role ?? "").quoted) is not a role.",
                hint: "writer, reader or relay"
            )
        }
        return try await node.pair(with: wanted.device, sharing: wanted.conversation, role: role)
    }
}
