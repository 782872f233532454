import Messages
import UIKit
import os

/// Checkers on one diagonal: a move dismisses the app first and is inserted then.
public class CheckersViewController: MSMessagesAppViewController {
    private let log = OSLog(subsystem: "example.checkers", category: "game")
    private var position = 0
    private var session: MSSession?

    override public func willBecomeActive(with conversation: MSConversation) {
        super.willBecomeActive(with: conversation)
        onMain {
            self.readPosition(of: conversation.selectedMessage)
        }
    }

    override public func didSelect(_ message: MSMessage, conversation: MSConversation) {
        onMain { self.readPosition(of: message) }
    }

    /// Runs work on the main thread, whatever the thread of the caller.
    private func onMain(_ work: () -> Void) {
        if Thread.isMainThread {
            work()
        } else {
            DispatchQueue.main.sync(execute: work)
        }
    }

    private func readPosition(of message: MSMessage?) {
        guard let url = message?.url,
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let item = components.queryItems?.first(where: { $0.name == "position" })
        else { return }
        position = Int(item.value ?? "") ?? 0
        session = message?.session
    }

    override public var body: ParleyView {
        ParleyView.column {
            ParleyView.text("Square \(position)")
            ParleyView.button("Move on") { self.move() }
        }
    }

    private func move() {
        os_log("moves from %d", log: log, type: .info, position)
        requestPresentationStyle(.compact)
        dismiss()
        var components = URLComponents()
        components.queryItems = [URLQueryItem(name: "position", value: String(position + 1))]
        let layout = MSMessageTemplateLayout()
        layout.caption = "Square \(position + 1)"
        let message = MSMessage(session: session ?? MSSession())
        message.url = components.url
        message.layout = layout
        activeConversation?.insert(message) { error in
            if let error = error {
                os_log("failed: %{public}@", type: .error, error.localizedDescription)
            }
        }
    }
}
