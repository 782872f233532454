public import Foundation

/// An app, as a controller that the host starts, shows and calls.
///
/// The methods to override do nothing here, so calling `super` makes no difference. The host calls
/// these methods on the main queue. `requestPresentationStyle` and `dismiss` may be called on any
/// queue, and the properties may be read on any queue.
@preconcurrency @MainActor
open class MSMessagesAppViewController: UIViewController, MSMessagesAppTranscriptPresentation {
    /// The conversation on screen, or nil while the app is inactive.
    open package(set) var activeConversation: MSConversation? {
        get { active.value }
        set { active.value = newValue }
    }

    /// The current style; during `willTransition(to:)` still the old style.
    open package(set) var presentationStyle: MSMessagesAppPresentationStyle {
        get { style.value }
        set { style.value = newValue }
    }

    open package(set) var presentationContext = MSMessagesAppPresentationContext.messages

    package override var isBubble: Bool { presentationStyle == .transcript }

    private let active = Guarded<MSConversation?>(nil)
    private let style = Guarded(MSMessagesAppPresentationStyle.compact)

    /// The host that runs this app.
    package weak var host: (any MessagesAppHosting)?

    /// The folder for files of the app, which it finds again after a restart of the node.
    ///
    /// An app has one folder on each machine, for all conversations; no other app uses it. It is
    /// nil if the folder cannot be made, or the node keeps everything in memory.
    open var documentsDirectory: URL? { host?.documentsDirectory }

    /// Asks the host for another style, which it gives after the code of the app has returned.
    ///
    /// A request for `.transcript`, or for the style that the app then has, does nothing.
    open func requestPresentationStyle(_ presentationStyle: MSMessagesAppPresentationStyle) {
        MainQueue.run(#function, of: self) { self.request(presentationStyle) }
    }

    private func request(_ style: MSMessagesAppPresentationStyle) {
        guard style != .transcript else { return }
        host?.presentationStyleRequested(style, by: self)
    }

    /// Asks to be closed, which happens after the code of the app has returned.
    ///
    /// A message that the app inserts or sends until then is not lost. Does nothing in a
    /// `.transcript` controller.
    open func dismiss() {
        MainQueue.run(#function, of: self) { self.requestDismissal() }
    }

    private func requestDismissal() {
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
}
