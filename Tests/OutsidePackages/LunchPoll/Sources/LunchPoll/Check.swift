import Foundation
import Messages

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let poll = Poll(
            id: UUID(),
            question: "Lunch?",
            options: [Poll.Option(title: "Soup"), Poll.Option(title: "Crêpes")],
            closes: Date(timeIntervalSince1970: 1_800_000_000)
        )
        let controller = MessagesViewController()
        let screen = ParleyView.Screen(controller)
        screen.appear()
        controller.show(poll)
        for _ in 0..<3 {
            guard let button = screen.tree.usable.last else { preconditionFailure() }
            try screen.perform(.press, on: button.id)
        }
        guard let message = controller.staged else { preconditionFailure() }
        let read = try Poll(message: message)
        precondition(read.leaders == ["Crêpes"] && read.options[1].voters.count == 3)
        precondition(read.closes == poll.closes)
        precondition((message.layout as? MSMessageTemplateLayout)?.trailingCaption == "3")
        precondition(controller.children.count == 1)
        do {
            _ = try Poll(message: MSMessage())
            preconditionFailure()
        } catch PollError.noURL {}
        print("LunchPoll works")
    }
}
