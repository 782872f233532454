import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

/// The way in for guests: the link with a code asks for a name, and gives a seat for it.
struct GuestEntry: Sendable {
    let node: Node
    let door: GuestDoor

    /// The limit of a form, in bytes.
    private static let formBytesMax = 4 << 10

    /// The answer to a request for `/g/CODE`.
    func answer(to request: Request, code: String) async throws -> Response {
        guard let address = door.address, let authority = request.head.authority,
            address.isMeant(by: authority)
        else { return page(GuestWords.foreignHost, .forbidden) }
        let origin = PageAddress.origin(of: authority)
        // The body is read before anything can refuse the request.
        let fields = request.method == .post ? try await fields(of: request) : [:]
        let guests = try await node.guests()
        let cookies = request.headers[values: .cookie]
        let known = door.guest(withCookiesIn: cookies, among: guests)
        if request.method != .post, let known, door.opening(of: known.conversationID, has: code) {
            return welcome(known, secret: nil, at: origin)
        }
        switch door.answer(to: code) {
        case .wait(let seconds):
            return page(GuestWords.wait(seconds), .tooManyRequests)
        case .unknown:
            // A seat outlives the code by which its guest came.
            return known.map { welcome($0, secret: nil, at: origin) }
                ?? page(GuestWords.unknownCode, .notFound)
        case .open(let id, let seats, let isLocked):
            if let known, known.conversationID == id {
                return welcome(known, secret: nil, at: origin)
            }
            guard let conversation = try await node.conversations().first(where: { $0.id == id })
            else { return page(GuestWords.unknownCode, .notFound) }
            let inside = guests.filter { $0.conversationID == id }
            let isFull = inside.count >= seats
            let form = GuestForm(
                code: code,
                conversation: conversation.name,
                host: try await node.status().name,
                obstacle: isLocked ? GuestWords.locked : isFull ? GuestWords.full : nil,
                isInApp: Self.isInApp(request.headers[.userAgent] ?? "")
            )
            return try await answer(to: request, fields, form, inside, seats: seats, at: origin)
        }
    }

    /// Shows the form, or gives the seat for which it was sent.
    private func answer(
        to request: Request,
        _ fields: [String: String],
        _ form: GuestForm,
        _ inside: [Guest],
        seats: Int,
        at origin: String
    ) async throws -> Response {
        guard request.method == .post else {
            let isReading = request.method == .get || request.method == .head
            return isReading ? page(form.html(), .ok) : Response(status: .methodNotAllowed)
        }
        guard request.headers[.origin]?.lowercased() == origin else {
            return page(GuestWords.foreignHost, .forbidden)
        }
        let name = fields["name"] ?? ""
        if let digits = fields["digits"], !digits.isEmpty {
            return try await returned(digits, name, inside, form, at: origin)
        }
        guard form.obstacle == nil else { return page(form.html(), .conflict) }
        let (secret, hash) = GuestDoor.newSecret()
        do {
            let guest = try await node.seat(
                name,
                in: form.conversation,
                secretHash: hash,
                countMax: seats
            )
            return welcome(guest, secret: secret, at: origin)
        } catch {
            return page(form.html(name: name, problem: Problem(error).message), .badRequest)
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
            let problem = GuestWords.wrongDigits
            return page(form.html(name: name, problem: problem, isReturning: true), .forbidden)
        }
        let (secret, hash) = GuestDoor.newSecret()
        let back = try await node.change(guest, secretHash: hash)
        return welcome(back, secret: secret, at: origin)
    }

    // MARK: Answers

    private func welcome(_ guest: Guest, secret: String?, at origin: String) -> Response {
        let keeper = door.keeper(of: guest)
        var response = PageWords.welcome(
            to: guest.conversation,
            // The key is for who has just got the cookie: a cookie alone opens nothing.
            key: secret.map { _ in (door.cookieName, keeper.key(at: origin)) }
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
