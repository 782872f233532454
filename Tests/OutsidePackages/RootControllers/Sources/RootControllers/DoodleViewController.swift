import Messages
import UIKit
import os

/// A drawing for a friend, sent without a press on Send, and a page about it.
public class DoodleViewController: MSMessagesAppViewController {
    private let logger = Logger(subsystem: "example.doodle", category: "canvas")
    private var strokes: [ParleyView.Stroke] = []
    private var isSent = false
    private var request: URLRequest?

    private var drawing: ParleyView.Drawing {
        let side =
            min(UIScreen.main.bounds.width, UIScreen.main.bounds.height) / UIScreen.main.scale
        return ParleyView.Drawing(size: CGSize(width: side, height: side), strokes: strokes)
    }

    override public func viewDidLoad() {
        super.viewDidLoad()
        if let url = URL(string: "https://doodle.example/about") {
            request = URLRequest(url: url)
            request?.setValue(UIDevice.current.systemName, forHTTPHeaderField: "User-Agent")
        }
        view.backgroundColor = UIColor.systemBackground
        NotificationCenter.default.addObserver(
            forName: .doodleWasSent,
            object: nil,
            queue: .main
        ) { [weak self] _ in
            self?.isSent = true
            self?.setNeedsBodyUpdate()
        }
    }

    override public var body: ParleyView {
        ParleyView.column {
            ParleyView.canvas(drawing, drawn: { self.strokes.append($0) }).id("paper")
            ParleyView.text(isSent ? "Sent" : "\(strokes.count) strokes")
            ParleyView.button("Send") { self.send() }
            ParleyView.button("About") { self.showPage() }
        }
    }

    private func send() {
        guard let conversation = activeConversation else { return }
        let layout = MSMessageTemplateLayout()
        layout.image = drawing.image
        layout.imageTitle = "A doodle"
        let message = MSMessage()
        message.layout = layout
        message.url = URL(string: "?strokes=\(strokes.count)")
        Task {
            do {
                try await conversation.send(message)
                NotificationCenter.default.post(name: .doodleWasSent, object: self)
            } catch {
                logger.error("\(error.localizedDescription, privacy: .public)")
            }
        }
    }

    private func showPage() {
        guard let url = request?.url else { return }
        extensionContext?.open(
            url,
            completionHandler: { success in
                self.logger.debug("opened: \(success)")
            }
        )
    }
}

extension Notification.Name {
    static let doodleWasSent = Notification.Name("doodleWasSent")
}
