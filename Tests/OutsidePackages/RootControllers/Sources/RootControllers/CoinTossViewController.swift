import Messages
import UIKit

/// Heads or tails: everything is in the root, which sends directly and answers in the handler.
public class CoinTossViewController: MSMessagesAppViewController {
    private let felt = UIColor(red: 0.1, green: 0.5, blue: 0.2, alpha: 1)
    private var coin: CoinViewController?
    private var layouts = 0

    /// Called by the storyboard.
    required public init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    override public func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = felt.withAlphaComponent(0.8)
        let coin = CoinViewController(nibName: nil, bundle: nil)
        coin.onFlip = { [weak self] in self?.flip() }
        addChild(coin)
        coin.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(coin.view)
        coin.didMove(toParent: self)
        self.coin = coin
    }

    override public func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        coin?.view.frame = view.bounds.insetBy(dx: 16, dy: 16)
        layouts += 1
        coin?.note = "Laid out \(layouts) times"
    }

    override public func didReceive(_ message: MSMessage, conversation: MSConversation) {
        super.didReceive(message, conversation: conversation)
        coin?.side = side(of: message)
    }

    private func side(of message: MSMessage) -> String? {
        guard let url = message.url else { return nil }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        return items?.first { $0.name == "side" }?.value
    }

    private func flip() {
        requestPresentationStyle(.expanded)
        let session = activeConversation?.selectedMessage?.session
        let message = MSMessage(session: session ?? MSSession())
        let layout = MSMessageTemplateLayout()
        layout.caption = "Heads"
        message.layout = layout
        message.url = URL(string: "www.cointoss.example/?side=heads")
        activeConversation?.send(message, completionHandler: finished)
    }

    private func finished(_ error: Error?) {
        guard error == nil else { return }
        coin?.side = "you sent heads"
        requestPresentationStyle(.compact)
    }
}

class CoinViewController: UIViewController {
    var onFlip: (() -> Void)?
    var note = ""
    var side: String? {
        didSet { setNeedsBodyUpdate() }
    }

    override var body: ParleyView {
        ParleyView.column {
            ParleyView.text(side ?? "No coin yet")
            ParleyView.text(note)
            ParleyView.button("Flip") { self.onFlip?() }
        }
    }
}
