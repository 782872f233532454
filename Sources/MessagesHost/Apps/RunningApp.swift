import Messages

/// An app while it runs: its controller, and the state that ends with the run.
@MainActor
struct RunningApp {
    let controller: MSMessagesAppViewController
    let conversation: HostedConversation
    /// The requests that the app makes of its conversation.
    let port: ConversationPort
    let screen: ParleyView.Screen
    /// The numbers of the views of the screen, for people in a terminal.
    var viewNumbers = ViewNumbers()
    /// Whether the app makes first messages of matches; nil until it is asked.
    var makesMatches: Bool?

    /// Calls the function of the controller for a step; `message` finds what the app knows.
    func call(_ step: AppStep, _ message: (MessageKey) -> MSMessage?) {
        switch step {
        case .didLoad: controller.loadViewIfNeeded()
        case .willBecomeActive: controller.willBecomeActive(with: conversation)
        case .didBecomeActive: controller.didBecomeActive(with: conversation)
        case .willAppear: controller.beginAppearanceTransition(true, animated: false)
        case .didAppear: controller.endAppearanceTransition()
        // `viewDidDisappear` is never called: on a phone the process has ended by then.
        case .willDisappear: controller.beginAppearanceTransition(false, animated: false)
        case .willResignActive: controller.willResignActive(with: conversation)
        case .didResignActive: controller.didResignActive(with: conversation)
        case .willTransition(let style): controller.willTransition(to: style.presentationStyle)
        case .didTransition(let style): controller.didTransition(to: style.presentationStyle)
        default: callAboutMessage(step, message)
        }
    }

    private func callAboutMessage(_ step: AppStep, _ message: (MessageKey) -> MSMessage?) {
        func with(_ key: MessageKey, _ call: (MSMessage) -> Void) { message(key).map(call) }
        switch step {
        case .willSelect(let key):
            with(key) { controller.willSelect($0, conversation: conversation) }
        case .didSelect(let key):
            with(key) { controller.didSelect($0, conversation: conversation) }
        case .didReceive(let key):
            with(key) { controller.didReceive($0, conversation: conversation) }
        case .didStartSending(let key):
            with(key) { controller.didStartSending($0, conversation: conversation) }
        case .didCancelSending(let key):
            with(key) { controller.didCancelSending($0, conversation: conversation) }
        default: break
        }
    }
}
