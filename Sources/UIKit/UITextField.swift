public import Foundation
import Messages

/// A line of text in an alert, which a person can change.
///
/// Elsewhere it shows nothing, as `UIView` does; use `ParleyView.textField` in a body.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uitextfield>.
@preconcurrency @MainActor
open class UITextField: UIView {
    /// The text; includes a person's input when an answer is chosen.
    open var text: String? = "" {
        didSet { alert?.setNeedsBodyUpdate() }
    }

    /// The text that is shown while the field is empty, and its name for a screen reader.
    open var placeholder: String? {
        didSet { alert?.setNeedsBodyUpdate() }
    }

    /// The alert that shows the field.
    weak var alert: UIAlertController?

    /// A field at that place, which only an alert shows.
    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    /// An empty field; nothing is read from the coder.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
