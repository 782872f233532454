import UIKit
import Messages

class StopsViewController: UIViewController {
    static let storyboardIdentifier = "StopsViewController"
    var plan = Plan()
    var events: (String) -> Void = { _ in }
    private lazy var placeholder: String = { "Add a stop" }()

    override func viewDidLoad() {
        super.viewDidLoad()
        events("viewDidLoad")
    }

    override func viewWillAppear(_ animated: Bool) { events("viewWillAppear") }
    override func viewDidAppear(_ animated: Bool) { events("viewDidAppear") }
    override func viewWillDisappear(_ animated: Bool) { events("viewWillDisappear") }
    override func viewDidDisappear(_ animated: Bool) { events("viewDidDisappear") }

    override func willMove(toParent parent: UIViewController?) {
        super.willMove(toParent: parent)
        events(parent == nil ? "willMove nil" : "willMove")
    }

    override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        events(parent == nil ? "didMove nil" : "didMove")
    }

    override var body: ParleyView {
        ParleyView.column {
            for stop in plan.stops { ParleyView.text(stop) }
            ParleyView.textField(placeholder, text: "", submitted: { self.plan.add($0) })
        }
    }
}

class MessagesViewController: MSMessagesAppViewController {
    var events = [String]()

    override func willBecomeActive(with conversation: MSConversation) {
        super.willBecomeActive(with: conversation)
        presentViewController(for: conversation, with: presentationStyle)
    }

    override func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        super.willTransition(to: presentationStyle)
        guard let conversation = activeConversation else { return }
        presentViewController(for: conversation, with: presentationStyle)
    }

    private func presentViewController(
        for conversation: MSConversation,
        with presentationStyle: MSMessagesAppPresentationStyle
    ) {
        let controller: UIViewController
        if presentationStyle == .compact {
            controller = instantiateStopsController(with: Plan.load(from: conversation))
        } else {
            controller = instantiateStopsController(with: Plan.load(from: conversation))
        }
        for child in children {
            child.willMove(toParent: nil)
            child.removeFromParent()
        }
        addChild(controller)
        controller.didMove(toParent: self)
    }

    private func instantiateStopsController(with plan: Plan) -> UIViewController {
        let controller = StopsViewController()
        controller.plan = plan
        controller.events = { [unowned self] in self.events.append($0) }
        return controller
    }

    func stage(_ plan: Plan, in conversation: MSConversation) {
        conversation.insert(plan.makeMessage(for: conversation)) { error in
            if error != nil {
                DispatchQueue.main.async { print("not staged") }
            }
        }
    }
}
