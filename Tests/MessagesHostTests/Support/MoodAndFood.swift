import Messages
import MessagesHost

/// An app with a menu and two screens behind it, one of which needs expanded style: the way through
/// it is a `NavigationMachine`, the screens are children.
final class MoodAndFood: MSMessagesAppViewController {
    enum Place: Hashable { case food, mood }

    private var machine = NavigationMachine<Place>(style: .compact)
    private lazy var menu = Screen("Menu", buttons: ["Food", "Mood", "Close"], app: self)
    private lazy var food = Screen("Food list", buttons: ["Back"], app: self)
    private lazy var mood = Screen("Your mood", buttons: ["Back"], app: self)

    override func willBecomeActive(with conversation: MSConversation) {
        machine = NavigationMachine(style: presentationStyle == .compact ? .compact : .expanded)
        show(machine.place)
    }

    /// Somebody changed the style by hand, or it was asked for.
    override func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        handle(presentationStyle == .compact ? .collapse : .expand)
    }

    fileprivate func pressed(_ button: String) {
        switch button {
        case "Food": handle(.open(.food, .needsExpanded))
        case "Mood": handle(.open(.mood, .either))
        case "Back": handle(.back)
        default: handle(.dismiss)
        }
    }

    private func handle(_ event: NavigationMachine<Place>.Event) {
        for step in machine.handle(event) {
            switch step {
            case .show(let place): show(place)
            case .request(.compact): requestPresentationStyle(.compact)
            case .request(.expanded): requestPresentationStyle(.expanded)
            case .dismiss: dismiss()
            }
        }
    }

    private func show(_ place: NavigationMachine<Place>.Place) {
        let screen: Screen? =
            switch place {
            case .menu: menu
            case .screen(.food, _, _): food
            case .screen(.mood, _, _): mood
            case .closed: nil
            }
        for child in children where child !== screen {
            child.willMove(toParent: nil)
            child.removeFromParent()
        }
        guard let screen, screen.parent == nil else { return }
        addChild(screen)
        screen.didMove(toParent: self)
    }

    /// One screen: what somebody typed and drew on it stays, wherever they go.
    private final class Screen: UIViewController {
        private let name: String
        private let buttons: [String]
        private weak var app: MoodAndFood?
        private var text = ""
        private var drawing = ParleyView.Drawing(size: CGSize(width: 100, height: 100))

        init(_ name: String, buttons: [String], app: MoodAndFood) {
            self.name = name
            self.buttons = buttons
            self.app = app
            super.init(nibName: nil, bundle: nil)
        }

        required init?(coder: NSCoder) { nil }

        override var body: ParleyView {
            .column {
                ParleyView.text(name, style: .title)
                ParleyView.textField("Note", text: text, edited: { self.text = $0 })
                ParleyView.canvas(drawing, drawn: { self.drawing.strokes.append($0) })
                    .accessibilityLabel("Sketch")
                for button in buttons {
                    ParleyView.button(button) { self.app?.pressed(button) }.id(button)
                }
            }
        }
    }
}
