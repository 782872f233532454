import Hummingbird
import ParleyAPI
import ParleyNode

/// Leads each request of the guests' server to the way in, or to the room of its guest.
struct GuestResponder: HTTPResponder {
    let entry: GuestEntry
    let rooms: GuestRooms
    let node: Node
    let door: GuestDoor

    func respond(
        to request: Request,
        context: BasicRequestContext
    ) async throws -> Response {
        let parts = request.uri.path.split(separator: "/", omittingEmptySubsequences: true)
        do {
            if parts.first == "g" {
                guard parts.count == 2 else { return noSeat(for: request) }
                return try await entry.answer(to: request, code: String(parts[1]))
            }
            let guests = try await node.guests()
            let cookies = request.headers[values: .cookie]
            guard let guest = door.guest(withCookiesIn: cookies, among: guests) else {
                return noSeat(for: request)
            }
            return try await rooms.room(of: guest).responder
                .respond(to: request, context: context)
        } catch let problem as Problem {
            return try problem.response(to: request)
        } catch let error as NodeError {
            return try Problem(error).response(to: request)
        }
    }

    /// The refusal of a browser without a seat.
    private func noSeat(for request: Request) -> Response {
        var response = PageWords.response(GuestWords.noSeat, status: .unauthorized)
        response.headers[.contentSecurityPolicy] = GuestForm.policy
        response.headers[.referrerPolicy] = "no-referrer"
        return PageGate.bounded(GuestEntry.unkept(response), request.body)
    }
}
