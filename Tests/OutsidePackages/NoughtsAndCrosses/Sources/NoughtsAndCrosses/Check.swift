import Foundation
import Messages

/// A conversation that keeps what is staged, as an author's own tests have.
class DeskConversation: MSConversation {
    var staged: MSMessage?
    let me = UUID()

    override var localParticipantIdentifier: UUID { me }
    override var selectedMessage: MSMessage? { staged }

    override func insert(
        _ message: MSMessage,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        staged = message
        completionHandler?(nil)
    }
}

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let conversation = DeskConversation()
        let controller = MessagesViewController()
        controller.loadViewIfNeeded()
        for cell in [0, 3, 1, 4, 2, 5] {
            controller.willBecomeActive(with: conversation)
            controller.tapped(cell, in: conversation)
        }
        let message = conversation.staged
        precondition(message?.url?.absoluteString == "?Cells=XXXOO----&Next=O")
        precondition(Board(message: message)?.winner == .cross)
        let layout = message?.layout as? MSMessageTemplateLayout
        precondition(layout?.caption == "$\(conversation.me.uuidString) played 2")
        precondition(controller.log == ["loaded"])
        print("NoughtsAndCrosses works")
    }
}
