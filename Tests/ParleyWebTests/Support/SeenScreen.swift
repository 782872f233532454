import Foundation
import Testing

/// The parts of a screen document that are needed to press its buttons.
struct SeenScreen: Decodable {
    struct Action: Decodable {
        let node: String
        let kinds: [String]
    }

    let version: Int
    let actions: [Action]

    /// The nodes of the buttons that are not disabled.
    var buttons: [String] { actions.filter { $0.kinds.contains("press") }.map(\.node) }

    /// The request that presses the button.
    func press(_ node: String) -> String {
        #"{"deed":"act","node":"\#(node)","version":\#(version),"kind":"press"}"#
    }
}

extension RouterClient {
    /// Makes a request of an app, and waits for its screen.
    func screen(_ app: String, _ body: String) async throws -> SeenScreen {
        let answer = try await call("POST", app, [body])
        try #require(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(SeenScreen.self, from: answer.body)
    }
}
