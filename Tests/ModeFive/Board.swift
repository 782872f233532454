import UIKit

/// An app whose only child controller has a label at its top, as in the report of a top margin that
/// was wrong after compact, expanded and compact again; and fields that its own messages must not
/// disturb.
public final class BoardViewController: MSMessagesAppViewController {
    private let child = BoardChild()

    public override func viewDidLoad() {
        super.viewDidLoad()
        addChild(child)
        child.didMove(toParent: self)
        child.move = { [weak self] in self?.move() }
    }

    public override var body: ParleyView {
        ParleyView.column {
            for child in children { ParleyView.controller(child) }
        }
    }

    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        child.count += 1
    }

    private func move() {
        let message = MSMessage(session: MSSession())
        let layout = MSMessageTemplateLayout()
        layout.caption = "A move"
        message.layout = layout
        message.url = URL(string: "?move=1")
        activeConversation?.send(message)
    }
}

private final class BoardChild: UIViewController {
    var count = 0
    var move: @MainActor @Sendable () -> Void = {}
    private var words = ""
    private var strokes: [ParleyView.Stroke] = []

    override var body: ParleyView {
        ParleyView.column {
            ParleyView.text("Moves: \(count)", style: .headline)
            ParleyView.text("Strokes: \(strokes.map(\.points.count))")
            ParleyView.textField("Words", text: words, edited: { self.words = $0 })
            ParleyView.canvas(
                ParleyView.Drawing(size: CGSize(width: 100, height: 50), strokes: strokes),
                drawn: { self.strokes.append($0) }
            ).accessibilityLabel("Board")
            ParleyView.button("Move") { self.move() }
        }
    }
}
