import Hummingbird
import ParleyAPI
import ParleyNode

/// The routes on the members of conversations and their keys.
struct MemberRoutes: Sendable {
    let node: Node

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("conversations/{name}/members") { _, context in
            try JSON.response(try await NodeKeys(of: node).members(of: try context.part("name")))
        }
        group.post("conversations/{name}/keys") { request, context in
            let document = try await request.document(KeysRequest.self, atMost: 1 << 16)
            let change = try await NodeKeys(of: node).change(
                of: try context.part("name"),
                without: document.without,
                isDryRun: document.dryRun ?? false
            )
            return try JSON.response(change, status: document.dryRun == true ? 200 : 201)
        }
        group.post("person/lost") { request, _ in
            let document = try await request.document(LostRequest.self, atMost: 4 << 10)
            do {
                let removal = try await NodeKeys(of: node).throwOut(
                    document.device,
                    isDryRun: document.dryRun ?? false
                )
                return try JSON.response(LostDevice(removal))
            } catch NodeError.unknownDevice(let text) {
                throw Problem(
                    .unknownDevice,
                    "No member here, and no device of yours, is called \(text.quoted).",
                    hint: "See who is: parley person show, or parley conversation members NAME"
                )
            }
        }
    }
}
