import Foundation
import Messages

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let controller = MessagesViewController(nibName: nil, bundle: nil)
        let conversation = MSConversation()
        controller.willBecomeActive(with: conversation)
        var message = controller.set("Grün")
        for letter in "grzü" {
            controller.didSelect(message, conversation: conversation)
            guard let next = controller.guess(letter, after: message) else { preconditionFailure() }
            precondition(next.session == message.session)
            message = next
        }
        precondition(message.url?.scheme == "data")
        let round = message.url.flatMap { Round(url: $0) }
        precondition(round?.shown == "grü_")
        precondition(round?.lives == 5)
        let layout = message.layout as? MSMessageTemplateLayout
        precondition(layout?.imageSubtitle == "5 lives")
        controller.didStartSending(message, conversation: conversation)
        controller.didResignActive(with: conversation)
        print("WordGuess works")
    }
}
