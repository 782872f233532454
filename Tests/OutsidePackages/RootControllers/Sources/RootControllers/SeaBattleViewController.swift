import Messages
import UIKit

/// Two fleets of one ship: each side shoots at a row of squares.
public class SeaBattleViewController: MSMessagesAppViewController {
    // MARK: - Conversation Handling

    override public func willBecomeActive(with conversation: MSConversation) {
        super.willBecomeActive(with: conversation)
        presentVC(for: conversation, with: self.presentationStyle)
    }

    override public func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        guard let conversation = self.activeConversation else { return }
        presentVC(for: conversation, with: presentationStyle)
    }

    private func presentVC(
        for conversation: MSConversation,
        with presentationStyle: MSMessagesAppPresentationStyle
    ) {
        let controller: UIViewController
        if presentationStyle == .compact {
            controller = instantiateCompactVC()
        } else {
            controller = instantiateExpandedVC(conversation)
        }
        for child in self.children {
            child.willMove(toParent: nil)
            child.view?.removeFromSuperview()
            child.removeFromParent()
        }
        addChild(controller)
        controller.view.frame = self.view.bounds
        controller.view.translatesAutoresizingMaskIntoConstraints = false
        self.view.addSubview(controller.view)
        controller.view.leftAnchor.constraint(equalTo: self.view.leftAnchor).isActive = true
        controller.view.topAnchor.constraint(equalTo: self.view.topAnchor).isActive = true
        controller.didMove(toParent: self)
    }

    private func instantiateCompactVC() -> UIViewController {
        let compactVC = SeaBattleStartViewController()
        compactVC.onButtonTap = { [unowned self] in
            self.requestPresentationStyle(.expanded)
        }
        return compactVC
    }

    private func instantiateExpandedVC(_ conversation: MSConversation) -> UIViewController {
        let expandedVC = SeaBattleBoardViewController()
        expandedVC.model =
            SeaBattleModel(from: conversation.selectedMessage?.url) ?? SeaBattleModel()
        expandedVC.onShot = { [unowned self] model in
            let session = conversation.selectedMessage?.session ?? MSSession()
            let message = self.insertMessageWith(model, session)
            conversation.insert(message) { error in
                if let error = error { print(error) }
            }
            self.dismiss()
        }
        return expandedVC
    }

    private func insertMessageWith(_ model: SeaBattleModel, _ session: MSSession) -> MSMessage {
        let message = MSMessage(session: session)
        let layout = MSMessageTemplateLayout()
        layout.caption = model.isOver ? "Sunk!" : "\(model.shots.count) shots"
        message.layout = layout
        message.url = model.encode()
        return message
    }
}

class SeaBattleStartViewController: UIViewController {
    var onButtonTap: (() -> Void)?

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor.systemTeal.withAlphaComponent(0.2)
    }

    override var body: ParleyView {
        ParleyView.button("Begin") { self.onButtonTap?() }
    }
}

class SeaBattleBoardViewController: UIViewController {
    var model = SeaBattleModel()
    var onShot: ((SeaBattleModel) -> Void)?

    private var squares: Int {
        let isPad = UIDevice.current.userInterfaceIdiom == .pad
        return isPad || UIScreen.main.bounds.width > 500 ? 8 : 5
    }

    override var body: ParleyView {
        ParleyView.row {
            for square in 0..<squares {
                ParleyView.button(model.shots.contains(square) ? "*" : "~") { self.confirm(square) }
                    .id("square \(square)")
            }
        }
    }

    private func confirm(_ square: Int) {
        let alert = UIAlertController(title: "Fire?", message: nil, preferredStyle: .alert)
        alert.addAction(
            UIAlertAction(title: "Fire", style: .destructive) { _ in
                self.model.shots.append(square)
                self.onShot?(self.model)
            }
        )
        alert.addAction(UIAlertAction(title: "Hold", style: .cancel, handler: nil))
        self.present(alert, animated: true, completion: nil)
    }
}

struct SeaBattleModel {
    var ship = 2
    var shots: [Int] = []
    var isOver: Bool { shots.contains(ship) }

    func encode() -> URL {
        let baseURL = "www.seabattle.example/play"
        guard var components = URLComponents(string: baseURL) else {
            preconditionFailure("Invalid base url")
        }
        var items: [URLQueryItem] = []
        items.append(URLQueryItem(name: "Ship_Location", value: String(ship)))
        for (index, shot) in shots.enumerated() {
            items.append(URLQueryItem(name: "Shot_\(index)", value: String(shot)))
        }
        components.queryItems = items
        guard let url = components.url else { preconditionFailure("Invalid components") }
        return url
    }
}

extension SeaBattleModel {
    init?(from url: URL?) {
        guard let url = url,
            let components = URLComponents(url: url, resolvingAgainstBaseURL: false),
            let items = components.queryItems
        else { return nil }
        for item in items {
            guard let value = item.value.flatMap({ Int($0) }) else { return nil }
            if item.name == "Ship_Location" { ship = value } else { shots.append(value) }
        }
    }
}
