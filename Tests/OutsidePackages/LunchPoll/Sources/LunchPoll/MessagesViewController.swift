import Foundation
import Messages

@MainActor
protocol PollViewControllerDelegate: AnyObject {
    func pollViewController(_ controller: PollViewController, didVoteFor index: Int)
}

final class PollViewController: UIViewController {
    weak var delegate: PollViewControllerDelegate?
    private let poll: Poll

    init(poll: Poll) {
        self.poll = poll
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        preconditionFailure("there is no storyboard")
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        title = poll.question
    }

    override var body: ParleyView {
        ParleyView.list {
            ParleyView.text(poll.question, style: .title)
            for (index, option) in poll.options.enumerated() {
                ParleyView.button(option.title) {
                    self.delegate?.pollViewController(self, didVoteFor: index)
                }
            }
        }
    }
}

final class MessagesViewController: MSMessagesAppViewController, PollViewControllerDelegate {
    var staged: MSMessage?
    private var poll: Poll?

    func show(_ poll: Poll) {
        self.poll = poll
        for child in children {
            child.willMove(toParent: nil)
            child.removeFromParent()
        }
        let controller = PollViewController(poll: poll)
        controller.delegate = self
        addChild(controller)
        controller.didMove(toParent: self)
    }

    func pollViewController(_ controller: PollViewController, didVoteFor index: Int) {
        guard var poll = poll else { return }
        let local = UUID()
        poll.vote(local, for: index)
        staged = try? MSMessage(poll: poll, local: local, session: staged?.session)
        show(poll)
    }
}
