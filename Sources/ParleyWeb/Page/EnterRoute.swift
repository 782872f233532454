import Foundation
import Hummingbird

/// The route of one-time links, which sign a browser in.
struct EnterRoute: Sendable {
    let door: PageDoor

    func add(to router: Router<BasicRequestContext>) {
        router.get("enter/{secret}") { request, context in
            enter(request, context.parameters.get("secret") ?? "")
        }
    }

    private func enter(_ request: Request, _ secret: String) -> Response {
        // A prefetch by a browser or a program must not use the link up before somebody opens it.
        let purposes: [HTTPField.Name] = [.secPurpose, .purpose, .xPurpose, .xMoz]
        let isAhead = purposes.contains { name in
            ["prefetch", "preview"].contains { request.headers[name]?.contains($0) ?? false }
        }
        guard !isAhead, request.method == .get else {
            return Response(status: .serviceUnavailable)
        }
        let conversation = request.uri.queryParameters["conversation"].map(String.init)
        if door.spend(secret) {
            let origin = PageAddress.origin(of: request.head.authority ?? "")
            let key = (door.cookieName, door.key(at: origin))
            var response = PageWords.welcome(to: conversation, key: key)
            response.headers[.setCookie] = door.cookie
            return response
        }
        guard door.isOpen(to: request.headers[values: .cookie]) else {
            return PageWords.response(PageWords.usedLink, status: .gone)
        }
        return PageWords.welcome(to: conversation, key: nil)
    }
}
