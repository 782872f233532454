public import Foundation

/// An app: the host starts this controller, shows it, and calls it when something happens.
///
/// The methods to override do nothing here, so calling `super` makes no difference.
open class MSMessagesAppViewController: UIViewController, MSMessagesAppTranscriptPresentation {
    /// The conversation on screen, or nil while the app is inactive.
    open package(set) var activeConversation: MSConversation?

    /// The current style; it is still the old one during `willTransition(to:)`.
    open package(set) var presentationStyle = MSMessagesAppPresentationStyle.compact

    open package(set) var presentationContext = MSMessagesAppPresentationContext.messages

    /// The host that runs this app.
    package weak var host: (any MessagesAppHosting)?

    /// Asks the host for another style.
    ///
    /// A request for the current style, or for `.transcript`, does nothing.
    open func requestPresentationStyle(_ presentationStyle: MSMessagesAppPresentationStyle) {
        guard presentationStyle != .transcript, presentationStyle != self.presentationStyle else {
            return
        }
        host?.presentationStyleRequested(presentationStyle, by: self)
    }

    /// Asks to be closed; does nothing in a `.transcript` controller.
    open func dismiss() {
        guard presentationStyle != .transcript else { return }
        host?.dismissRequested(by: self)
    }

    // MARK: Life cycle

    open func willBecomeActive(with conversation: MSConversation) {}

    open func didBecomeActive(with conversation: MSConversation) {}

    /// Called before the controller becomes inactive; work that outlasts this call may never
    /// finish.
    open func willResignActive(with conversation: MSConversation) {}

    open func didResignActive(with conversation: MSConversation) {}

    // MARK: Messages of this app

    /// Called when somebody picked `message`; `selectedMessage` is still the previous one.
    open func willSelect(_ message: MSMessage, conversation: MSConversation) {}

    /// Called after `message` became the selected one.
    open func didSelect(_ message: MSMessage, conversation: MSConversation) {}

    /// Called when another participant's message arrived; the selected message stays as it is.
    open func didReceive(_ message: MSMessage, conversation: MSConversation) {}

    /// Called when `message` is being sent; it has not necessarily arrived anywhere.
    open func didStartSending(_ message: MSMessage, conversation: MSConversation) {}

    /// Called after somebody removed `message` from the input field.
    open func didCancelSending(_ message: MSMessage, conversation: MSConversation) {}

    // MARK: Presentation

    open func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {}

    open func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {}

    /// Returns the size in which a `.transcript` controller draws: by default all of `size`.
    open func contentSizeThatFits(_ size: CGSize) -> CGSize { size }

    // MARK: The host

    /// Makes an app's controller as a storyboard would, by `init?(coder:)`.
    package static func makeApp() -> Self? {
        Self(coder: EmptyCoder())
    }
}
