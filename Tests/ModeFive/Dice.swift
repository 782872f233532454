import UIKit

/// An app whose messages have a live layout: its own controller draws each bubble.
public final class DiceViewController: MSMessagesAppViewController {
    private var value = 0

    public override func willBecomeActive(with conversation: MSConversation) {
        read(conversation.selectedMessage)
    }

    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        read(message)
    }

    public override func contentSizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(width: size.width, height: 150)
    }

    private func read(_ message: MSMessage?) {
        let text = message?.url?.query ?? ""
        value = Int(text.dropFirst("value=".count)) ?? 0
    }

    public override var body: ParleyView {
        ParleyView.column {
            if presentationStyle == .transcript {
                ParleyView.text("Thrown: \(value)", style: .headline)
                ParleyView.button("Throw again") { self.play(after: self.value) }
            } else {
                ParleyView.button("Throw") { self.play(after: 0) }
            }
        }
    }

    private func play(after value: Int) {
        guard let conversation = activeConversation else { return }
        let session = conversation.selectedMessage?.session ?? MSSession()
        let message = MSMessage(session: session)
        let alternate = MSMessageTemplateLayout()
        alternate.caption = "Dice: \(value + 1)"
        message.layout = MSMessageLiveLayout(alternateLayout: alternate)
        message.url = URL(string: "?value=\(value + 1)")
        message.summaryText = "Thrown"
        conversation.send(message)
    }
}
