import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

/// The way in for guests: the link with a code asks for a name, and gives a seat for it.
struct GuestEntry: Sendable {
    let node: Node
    let door: GuestDoor
    let changed: @Sendable () async -> Void

    /// The limit of a form, in bytes.
    private static let formBytesMax = 4 << 10

    /// The answer to a request for `/g/CODE`.
    func answer(to request: Request, code: String) async throws -> Response {
        guard let address = door.address, let authority = request.head.authority,
            address.isMeant(by: authority)
        else { return page(GuestWords.foreignHost, .forbidden) }
        let origin = PageAddress.origin(of: authority)
        let guests = try await node.guests()
        let cookies = request.headers[values: .cookie]
        let known = door.guest(withCookiesIn: cookies, among: guests)
        let opening: (id: String, seats: Int, isLocked: Bool)
        switch door.answer(to: code) {
        case .wait(let seconds): return page(GuestWords.wait(seconds), .tooManyRequests)
        case .unknown:
            if let known { return welcome(known, secret: nil, at: origin) }
            return page(GuestWords.unknownCode, .notFound)
        case .open(let id, let seats, let isLocked): opening = (id, seats, isLocked)
        }
        if let known, known.conversationID == opening.id {
            return welcome(known, secret: nil, at: origin)
        }
        guard let conversation = try await node.conversations().first(where: { $0.id == opening.id })
        else { return page(GuestWords.unknownCode, .notFound) }
        let inside = guests.filter { $0.conversationID == opening.id }
        let isFull = inside.count >= opening.seats
        let host = try await node.status().name
        let form = GuestForm(
            code: code,
            conversation: conversation.name,
            host: host,
            isOpen: !opening.isLocked && !isFull,
            reason: opening.isLocked ? GuestWords.locked : GuestWords.full,
            isInApp: Self.isInApp(request.headers[.userAgent] ?? "")
        )
        switch request.method {
        case .get, .head: return page(form.html(), .ok)
        case .post:
            guard request.headers[.origin]?.lowercased() == origin else {
                return page(GuestWords.foreignHost, .forbidden)
            }
            let fields = try await fields(of: request)
            if let digits = fields["digits"], !digits.isEmpty {
                return try await returned(digits, fields["name"] ?? "", inside, form, at: origin)
            }
            guard form.isOpen else { return page(form.html(), .conflict) }
            return try await joined(fields["name"] ?? "", conversation, opening.seats, form, origin)
        default: return Response(status: .methodNotAllowed)
        }
    }

    // MARK: Seats

    private func joined(
        _ name: String,
        _ conversation: Conversation,
        _ seats: Int,
        _ form: GuestForm,
        _ origin: String
    ) async throws -> Response {
        let (secret, hash) = GuestDoor.newSecret()
        do {
            let taken = try await node.guests(of: conversation.name).map(\.name)
            let guest = try await node.seat(
                GuestForm.free(name, among: taken),
                in: conversation.name,
                secretHash: hash,
                countMax: seats
            )
            return welcome(guest, secret: secret, at: origin)
        } catch {
            let problem = Problem(error)
            return page(form.html(name: name, problem: problem.message), .badRequest)
        }
    }

    /// Gives a guest the seat back in another browser.
    private func returned(
        _ digits: String,
        _ name: String,
        _ guests: [Guest],
        _ form: GuestForm,
        at origin: String
    ) async throws -> Response {
        let normal = GivenName.normal(name).lowercased()
        guard let guest = guests.first(where: { $0.name.lowercased() == normal }),
            door.areDigits(digits.trimmingCharacters(in: .whitespaces), of: guest)
        else {
            return page(form.html(name: name, problem: GuestWords.wrongDigits), .forbidden)
        }
        let (secret, hash) = GuestDoor.newSecret()
        let back = try await node.change(
            guestAt: guest.seat,
            in: guest.conversation,
            secretHash: hash
        )
        await changed()
        return welcome(back, secret: secret, at: origin)
    }

    // MARK: Answers

    private func welcome(_ guest: Guest, secret: String?, at origin: String) -> Response {
        let keeper = door.keeper(of: guest)
        var response = PageWords.welcome(
            to: guest.conversation,
            key: (door.cookieName, keeper.key(at: origin))
        )
        if let secret { response.headers[.setCookie] = door.cookie(secret) }
        return Self.unkept(response)
    }

    private func page(_ html: String, _ status: HTTPResponse.Status) -> Response {
        var response = PageWords.response(html, status: status)
        response.headers[.contentSecurityPolicy] = GuestForm.policy
        // A form sent by a page without a referrer has no origin, which the node checks.
        response.headers[.referrerPolicy] = "same-origin"
        return Self.unkept(response)
    }

    /// The response, which no cache keeps.
    static func unkept(_ response: Response) -> Response {
        var response = response
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    private func fields(of request: Request) async throws -> [String: String] {
        let body = try await request.bytes(atMost: Self.formBytesMax)
        var fields: [String: String] = [:]
        for pair in String(buffer: body).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let plain = parts[1].replacing("+", with: " ")
            fields[String(parts[0])] = plain.removingPercentEncoding ?? ""
        }
        return fields
    }

    /// Whether a browser says that it is a window inside another app, which forgets cookies.
    private static func isInApp(_ agent: String) -> Bool {
        ["FBAN", "FBAV", "Instagram", "Line/", "; wv)", "CaptiveNetworkSupport", "MicroMessenger"]
            .contains { agent.contains($0) }
    }
}
