public import Foundation
import Messages

/// An answer that a person can choose in an alert.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uialertaction>.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    /// The meaning of an answer.
    public enum Style: Int, Sendable {
        case `default` = 0
        /// The answer that changes nothing; the Escape key chooses it.
        case cancel = 1
        case destructive = 2
    }

    /// The title of the button.
    open private(set) var title: String?
    /// The meaning of the answer.
    open private(set) var style: Style
    /// Whether the answer can be chosen.
    open var isEnabled = true {
        didSet { alert?.setNeedsBodyUpdate() }
    }

    /// The alert that offers the answer.
    weak var alert: UIAlertController?
    private let handler: ((UIAlertAction) -> Void)?

    /// An answer; `handler` is called when it was chosen, after the alert was dismissed.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
        super.init()
    }

    func chosen() {
        handler?(self)
    }
}
