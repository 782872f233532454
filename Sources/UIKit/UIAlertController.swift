import Foundation
public import Messages

/// A question to the person who uses the app: an alert, or a list of choices.
///
/// `present(_:animated:completion:)` shows it as a dialog in the panel of the app. The answer that
/// a person chooses dismisses it and is then called.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uialertcontroller>.
@preconcurrency @MainActor
open class UIAlertController: UIViewController {
    /// The two looks of a question.
    public enum Style: Int, Sendable {
        case actionSheet = 0
        case alert = 1
    }

    /// The text below the title.
    open var message: String? {
        didSet { setNeedsBodyUpdate() }
    }

    /// The look.
    open private(set) var preferredStyle = Style.actionSheet

    /// The answers, in the order in which they were added.
    open private(set) var actions: [UIAlertAction] = []

    /// The answer that the Enter key chooses, one of `actions`.
    open var preferredAction: UIAlertAction? {
        didSet { setNeedsBodyUpdate() }
    }

    /// The text fields; nil if none was added.
    open var textFields: [UITextField]? { fields.isEmpty ? nil : fields }

    private var fields: [UITextField] = []

    /// A question without answers yet.
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    /// Adds an answer.
    open func addAction(_ action: UIAlertAction) {
        action.alert = self
        actions.append(action)
        setNeedsBodyUpdate()
    }

    /// Adds a text field, and lets the handler set its texts.
    ///
    /// A list of choices has no text fields: there nothing is added, and the log says so.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        guard preferredStyle == .alert else {
            return OffMainCalls.write("an action sheet has no text fields: none was added")
        }
        let field = UITextField()
        configurationHandler?(field)
        field.alert = self
        fields.append(field)
        setNeedsBodyUpdate()
    }

    /// The question, its text fields and its answers, with cancelling answers last.
    open override var body: ParleyView {
        .dialog(preferredStyle == .alert ? .alert : .actionSheet, title: title ?? message) {
            if let title, !title.isEmpty { ParleyView.text(title, style: .headline) }
            if let message, !message.isEmpty { ParleyView.text(message) }
            for (index, field) in fields.enumerated() {
                ParleyView.textField(
                    field.placeholder ?? "",
                    text: field.text ?? "",
                    edited: { field.text = $0 }
                )
                .id("field \(index)")
            }
            for action in actions where action.style != .cancel { choice(action) }
            for action in actions where action.style == .cancel { choice(action) }
        }
    }

    private func choice(_ action: UIAlertAction) -> ParleyView {
        let role: ParleyView.ChoiceRole =
            switch action.style {
            case .default: .normal
            case .cancel: .cancel
            case .destructive: .destructive
            }
        return ParleyView.choice(
            action.title ?? "",
            role: role,
            isPreferred: action === preferredAction
        ) {
            self.uncover()
            action.chosen()
        }
        .disabled(!action.isEnabled)
    }
}
