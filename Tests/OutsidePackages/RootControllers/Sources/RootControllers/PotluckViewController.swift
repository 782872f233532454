import Messages
import UIKit

/// A dinner to which everybody brings a dish: the root only swaps children, one for each style.
public class PotluckViewController: MSMessagesAppViewController {
    override public func willBecomeActive(with conversation: MSConversation) {
        super.willBecomeActive(with: conversation)
        presentViewController(for: conversation, with: presentationStyle)
    }

    override public func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        super.willTransition(to: presentationStyle)
        removeAllChildViewControllers()
    }

    override public func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        super.didTransition(to: presentationStyle)
        guard let conversation = activeConversation else {
            preconditionFailure("Expected an active conversation")
        }
        presentViewController(for: conversation, with: presentationStyle)
    }

    private func presentViewController(
        for conversation: MSConversation,
        with presentationStyle: MSMessagesAppPresentationStyle
    ) {
        removeAllChildViewControllers()
        let controller: UIViewController
        if presentationStyle == .compact {
            controller = instantiateInvitationController()
        } else {
            controller = instantiateDishesController(Potluck(message: conversation.selectedMessage))
        }
        addChild(controller)
        controller.view.frame = view.bounds
        controller.view.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(controller.view)
        NSLayoutConstraint.activate([
            controller.view.leftAnchor.constraint(equalTo: view.leftAnchor),
            controller.view.rightAnchor.constraint(equalTo: view.rightAnchor),
            controller.view.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
            controller.view.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -8),
        ])
        controller.didMove(toParent: self)
    }

    private func instantiateInvitationController() -> UIViewController {
        guard
            let controller = storyboard?.instantiateViewController(
                withIdentifier: InvitationViewController.storyboardIdentifier
            ) as? InvitationViewController
        else { preconditionFailure("Unable to instantiate an InvitationViewController") }
        controller.delegate = self
        return controller
    }

    private func instantiateDishesController(_ potluck: Potluck) -> UIViewController {
        guard
            let controller = storyboard?.instantiateViewController(
                withIdentifier: DishesViewController.storyboardIdentifier
            ) as? DishesViewController
        else { preconditionFailure("Unable to instantiate a DishesViewController") }
        controller.potluck = potluck
        controller.delegate = self
        return controller
    }

    private func removeAllChildViewControllers() {
        for child in children {
            child.willMove(toParent: nil)
            child.view.removeFromSuperview()
            child.removeFromParent()
        }
    }
}

extension PotluckViewController: InvitationViewControllerDelegate {
    func invitationViewControllerDidSelectJoin(_ controller: InvitationViewController) {
        requestPresentationStyle(.expanded)
    }
}

extension PotluckViewController: DishesViewControllerDelegate {
    func dishesViewController(_ controller: DishesViewController, didChoose dish: String) {
        guard let conversation = activeConversation else { return }
        var potluck = controller.potluck
        potluck.dishes.append(dish)
        let session = conversation.selectedMessage?.session ?? MSSession()
        conversation.insert(potluck.message(in: session)) { error in
            if let error = error {
                print(error)
            } else {
                self.dismiss()
            }
        }
    }
}

/// The dishes so far.
struct Potluck {
    var dishes: [String] = []

    init(message: MSMessage?) {
        guard let url = message?.url,
            let components = NSURLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return }
        dishes = (components.queryItems ?? []).filter { $0.name == "dish" }.compactMap { $0.value }
    }

    func message(in session: MSSession) -> MSMessage {
        var components = URLComponents()
        components.queryItems = dishes.map { URLQueryItem(name: "dish", value: $0) }
        let layout = MSMessageTemplateLayout()
        layout.image = UIImage(systemName: "fork.knife") ?? UIImage(named: "Table")
        layout.caption = "\(dishes.count) on the table"
        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = layout
        return message
    }
}

protocol InvitationViewControllerDelegate: AnyObject {
    func invitationViewControllerDidSelectJoin(_ controller: InvitationViewController)
}

class InvitationViewController: UIViewController {
    static let storyboardIdentifier = "InvitationViewController"
    weak var delegate: InvitationViewControllerDelegate?

    override var body: ParleyView {
        ParleyView.button("Bring something") {
            self.delegate?.invitationViewControllerDidSelectJoin(self)
        }
    }
}

protocol DishesViewControllerDelegate: AnyObject {
    func dishesViewController(_ controller: DishesViewController, didChoose dish: String)
}

class DishesViewController: UIViewController {
    static let storyboardIdentifier = "DishesViewController"
    weak var delegate: DishesViewControllerDelegate?
    var potluck = Potluck(message: nil)

    override var body: ParleyView {
        ParleyView.column {
            for dish in potluck.dishes { ParleyView.text(dish) }
            for dish in ["Salad", "Soup"] {
                ParleyView.button(dish) {
                    self.delegate?.dishesViewController(self, didChoose: dish)
                }
            }
        }
    }
}
