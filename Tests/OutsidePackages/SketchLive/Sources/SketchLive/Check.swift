import Messages
import UIKit

class Selected: MSConversation {
    var message: MSMessage?
    override var selectedMessage: MSMessage? { message }
}

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let controller = MessagesViewController()
        let conversation = Selected()
        controller.willBecomeActive(with: conversation)
        let screen = ParleyView.Screen(controller)
        screen.appear()
        let stroke = ParleyView.Stroke(points: [CGPoint(x: 1, y: 2), CGPoint(x: 4, y: 6)])
        guard let canvas = screen.tree.usable.first else { preconditionFailure() }
        try screen.perform(.draw(stroke), on: canvas.id)
        guard let sketch = controller.latest else { preconditionFailure() }
        let message = try sketch.message(session: MSSession())
        let live = message.layout as? MSMessageLiveLayout
        precondition(live?.alternateLayout.image?.size == Sketch.size)
        precondition(live?.alternateLayout.caption == "A sketch")
        conversation.message = message
        controller.willBecomeActive(with: conversation)
        precondition(controller.children.count == 1)
        precondition(screen.tree.description.contains("drawing of 1 strokes"))
        let fits = controller.contentSizeThatFits(CGSize(width: 200, height: 500))
        precondition(fits == CGSize(width: 200, height: 150))
        precondition(MSMessagesAppViewController().contentSizeThatFits(fits) == fits)
        print("SketchLive works")
    }
}
