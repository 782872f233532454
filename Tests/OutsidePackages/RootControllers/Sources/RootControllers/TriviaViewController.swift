import Messages
import UIKit

extension Notification.Name {
    static let triviaDidLoad = Notification.Name("triviaDidLoad")
}

/// A quiz whose questions are loaded on a thread and announced by notifications.
public class TriviaViewController: MSMessagesAppViewController {
    private let store = TriviaStore()
    private var token: NSObjectProtocol?
    private var idle: Timer?
    private var question: QuestionViewController?

    override public func viewDidLoad() {
        super.viewDidLoad()
        token = NotificationCenter.default.addObserver(
            forName: .triviaDidLoad,
            object: store,
            queue: nil
        ) { [weak self] note in
            guard let text = note.userInfo?["question"] as? String else { return }
            // Called on the thread of the store.
            self?.requestPresentationStyle(.expanded)
            OperationQueue.main.addOperation {
                self?.show(text)
            }
        }
        idle = Timer.scheduledTimer(withTimeInterval: 600, repeats: false) { [weak self] _ in
            self?.dismiss()
        }
    }

    override public func didBecomeActive(with conversation: MSConversation) {
        super.didBecomeActive(with: conversation)
        if conversation.selectedMessage == nil { store.load() }
    }

    override public func didSelect(_ message: MSMessage, conversation: MSConversation) {
        super.didSelect(message, conversation: conversation)
        show(message.summaryText ?? "A question without words")
    }

    override public func didResignActive(with conversation: MSConversation) {
        super.didResignActive(with: conversation)
        idle?.invalidate()
        if let token = token { NotificationCenter.default.removeObserver(token) }
    }

    private func show(_ text: String) {
        question?.willMove(toParent: nil)
        question?.view.removeFromSuperview()
        question?.removeFromParent()
        let controller = QuestionViewController()
        controller.text = text
        controller.ask = { [weak self] in self?.send(text) }
        addChild(controller)
        view.addSubview(controller.view)
        let bottom = controller.view.bottomAnchor.constraint(equalTo: view.bottomAnchor)
        bottom.priority = .defaultHigh
        bottom.isActive = true
        controller.view.heightAnchor.constraint(equalToConstant: 80).isActive = true
        controller.didMove(toParent: self)
        question = controller
    }

    private func send(_ text: String) {
        let layout = MSMessageTemplateLayout()
        layout.caption = text
        let message = MSMessage(session: MSSession())
        message.layout = layout
        message.summaryText = text
        message.url = URL(string: "?q=1")
        activeConversation?.insert(
            message,
            completionHandler: { (error: Error?) in
                if error == nil { self.requestPresentationStyle(.compact) }
            }
        )
    }
}

/// Loads questions on a thread of its own and tells so there.
class TriviaStore {
    func load() {
        Thread { [self] in
            NotificationCenter.default.post(
                name: .triviaDidLoad,
                object: self,
                userInfo: ["question": "How many hearts has an octopus?"]
            )
        }.start()
    }
}

class QuestionViewController: UIViewController {
    var text = ""
    var ask: (() -> Void)?

    override var body: ParleyView {
        ParleyView.column {
            ParleyView.text(text)
            ParleyView.button("Ask the others") { self.ask?() }
        }
    }
}
