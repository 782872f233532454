import Messages
import UIKit

/// Loads each controller as the host does; `PortedAppTests` uses them as people would.
@main
@MainActor
struct Check {
    static func main() async throws {
        Storyboards.register()
        let conversation = MSConversation()
        for controller in [
            PotluckViewController(), PlaylistViewController(), TriviaViewController(),
        ] {
            controller.loadViewIfNeeded()
            controller.willBecomeActive(with: conversation)
            precondition(controller.view.superview == nil)
            controller.didResignActive(with: conversation)
        }
        precondition(IndexPath(row: 3, section: 1).item == 3)
        precondition(UIImage(systemName: "star") == nil)
        print("RootControllers works")
    }
}
