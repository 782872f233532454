import Foundation
import Messages

/// An app with a drawing, a text field, a picture, and a button that stages a message.
final class Sketch: MSMessagesAppViewController {
    private var drawing = ParleyView.Drawing(size: CGSize(width: 100, height: 50))
    private var typed = ""

    /// An SVG picture with a script in it.
    nonisolated static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>alert(1)</script>\
        </svg>
        """

    override var body: ParleyView {
        .column {
            ParleyView.canvas(drawing) { [weak self] stroke in
                self?.drawing.strokes.append(stroke)
                self?.setNeedsBodyUpdate()
            }
            .id("canvas")
            ParleyView.textField("Word", text: typed, edited: { [weak self] in self?.typed = $0 })
                .id("word")
            if let image = UIImage(data: Data(Self.svg.utf8)) {
                ParleyView.image(image).id("picture").accessibilityLabel("A picture")
            }
            ParleyView.button("Stage") { [weak self] in self?.stage() }.id("stage")
        }
    }

    private func stage() {
        let layout = MSMessageTemplateLayout()
        layout.caption = "From $\(activeConversation?.localParticipantIdentifier.uuidString ?? "")"
        layout.image = UIImage(data: Data(Self.svg.utf8))
        let message = MSMessage(session: MSSession())
        message.layout = layout
        activeConversation?.insert(message, completionHandler: nil)
        activeConversation?.insertText("hello", completionHandler: nil)
    }
}
