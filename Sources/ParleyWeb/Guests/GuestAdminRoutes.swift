import Hummingbird
import ParleyAPI
import ParleyNode

/// The routes of `/v1` by which the owner of a node lets guests in.
struct GuestAdminRoutes: Sendable {
    let guests: GuestHost

    /// The limit of the body of a request, in bytes.
    private static let bodyBytesMax = 4 << 10

    func add(to group: RouterGroup<BasicRequestContext>) {
        let path: RouterPath = "conversations/{name}/guests"
        group.get(path) { _, context in
            try JSON.response(try await guests.document(of: try context.part("name")))
        }
        group.post(path) { request, context in
            let wanted = try await request.document(GuestsRequest.self, atMost: Self.bodyBytesMax)
            return try JSON.response(try await guests.open(try context.part("name"), wanted))
        }
        group.delete(path) { _, context in
            try JSON.response(try await guests.close(try context.part("name")))
        }
        let one: RouterPath = "conversations/{name}/guests/{seat}"
        group.post(one) { request, context in
            let wanted = try await request.document(
                GuestNameDocument.self,
                atMost: Self.bodyBytesMax
            )
            let (name, seat) = (try context.part("name"), try Self.seat(context))
            return try JSON.response(try await guests.rename(seat, in: name, to: wanted.name))
        }
        group.delete(one) { _, context in
            let (name, seat) = (try context.part("name"), try Self.seat(context))
            return try JSON.response(try await guests.remove(seat, from: name))
        }
    }

    private static func seat(_ context: BasicRequestContext) throws -> Int {
        let text = try context.part("seat")
        guard let seat = Int(text) else {
            throw Problem.badInput("The seat \(text.quoted) is not a number.")
        }
        return seat
    }
}
