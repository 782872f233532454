import Messages
import UIKit

final class Group: MSConversation {
    let others = [UUID(), UUID(), UUID()]
    var picked: MSMessage?

    override var remoteParticipantIdentifiers: [UUID] { others }
    override var selectedMessage: MSMessage? { picked }
}

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let group = Group()
        let controller = MessagesViewController()
        let screen = ParleyView.Screen(controller)
        screen.appear()
        controller.willBecomeActive(with: group)
        _ = screen.tree
        precondition(
            controller.events == [
                "willMove", "viewDidLoad", "viewWillAppear", "didMove", "viewDidAppear",
            ]
        )
        guard let child = controller.children.first as? StopsViewController else {
            preconditionFailure()
        }
        guard let field = screen.tree.usable.first else { preconditionFailure() }
        try screen.perform(.submit("Chur"), on: field.id)
        try screen.perform(.submit("Żagań"), on: screen.tree.usable[0].id)
        precondition(child.plan.stops == ["Chur", "Żagań"])
        let message = child.plan.makeMessage(for: group)
        let caption = (message.layout as? MSMessageTemplateLayout)?.subcaption
        precondition(caption?.contains("$\(group.others[2].uuidString)") == true)
        controller.stage(child.plan, in: group)

        controller.events = []
        group.picked = message
        controller.willBecomeActive(with: group)
        _ = screen.tree
        precondition(
            controller.events == [
                "willMove nil", "viewWillDisappear", "viewDidDisappear", "didMove nil",
                "willMove", "viewDidLoad", "viewWillAppear", "didMove", "viewDidAppear",
            ]
        )
        precondition(screen.tree.description.contains("Żagań"))
        precondition(Plan.load(from: group).stops == ["Chur", "Żagań"])
        print("TripPlanner works")
    }
}
