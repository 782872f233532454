import Messages
import UIKit

class CanvasViewController: UIViewController {
    var sketch = Sketch()
    var onChange: ((Sketch) -> Void)?
    var isEditable = true

    override var body: ParleyView {
        let drawing = ParleyView.Drawing(size: Sketch.size, strokes: sketch.strokes)
        guard isEditable else { return ParleyView.canvas(drawing) }
        return ParleyView.canvas(drawing) { self.add($0) }
    }

    private func add(_ stroke: ParleyView.Stroke) {
        sketch.strokes.append(stroke)
        onChange?(sketch)
    }
}

class MessagesViewController: MSMessagesAppViewController {
    private var canvas: CanvasViewController?
    var latest: Sketch?

    override func willBecomeActive(with conversation: MSConversation) {
        presentViewController(for: conversation, with: presentationStyle)
    }

    override func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        guard let conversation = activeConversation else { return }
        presentViewController(for: conversation, with: presentationStyle)
    }

    override func contentSizeThatFits(_ size: CGSize) -> CGSize {
        let width = min(size.width, Sketch.size.width)
        return CGSize(width: width, height: min(size.height, width * 0.75))
    }

    private func presentViewController(
        for conversation: MSConversation,
        with presentationStyle: MSMessagesAppPresentationStyle
    ) {
        removeAllChildViewControllers()
        let controller = CanvasViewController()
        controller.sketch = Sketch(url: conversation.selectedMessage?.url) ?? Sketch()
        controller.isEditable = presentationStyle != .transcript
        controller.onChange = { [weak self] sketch in self?.latest = sketch }
        addChild(controller)
        controller.didMove(toParent: self)
        canvas = controller
    }

    private func removeAllChildViewControllers() {
        for child in children {
            child.willMove(toParent: nil)
            child.removeFromParent()
        }
    }
}
