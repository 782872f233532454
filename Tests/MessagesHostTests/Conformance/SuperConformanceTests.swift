import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 9: apps that never call `super`.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SuperConformanceTests {
    /// Notes its calls, and calls `super` in each.
    final class Polite: MSMessagesAppViewController {
        static var calls: [String] = []

        private func note(_ call: String, _ message: MSMessage? = nil) {
            let url = message?.url?.absoluteString ?? ""
            let selected = activeConversation?.selectedMessage?.url?.absoluteString ?? "-"
            let style = presentationStyle == .compact ? "compact" : "expanded"
            Self.calls.append("\(call) \(url) selected \(selected) \(style)")
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            note("didLoad")
        }
        override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            note("willAppear")
        }
        override func viewDidAppear(_ animated: Bool) {
            super.viewDidAppear(animated)
            note("didAppear")
        }
        override func viewWillDisappear(_ animated: Bool) {
            super.viewWillDisappear(animated)
            note("willDisappear")
        }
        override func willBecomeActive(with conversation: MSConversation) {
            super.willBecomeActive(with: conversation)
            note("willBecomeActive")
        }
        override func didBecomeActive(with conversation: MSConversation) {
            super.didBecomeActive(with: conversation)
            note("didBecomeActive")
        }
        override func willResignActive(with conversation: MSConversation) {
            super.willResignActive(with: conversation)
            note("willResignActive")
        }
        override func didResignActive(with conversation: MSConversation) {
            super.didResignActive(with: conversation)
            note("didResignActive")
        }
        override func willSelect(_ message: MSMessage, conversation: MSConversation) {
            super.willSelect(message, conversation: conversation)
            note("willSelect", message)
        }
        override func didSelect(_ message: MSMessage, conversation: MSConversation) {
            super.didSelect(message, conversation: conversation)
            note("didSelect", message)
        }
        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            super.didReceive(message, conversation: conversation)
            note("didReceive", message)
        }
        override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
            super.didStartSending(message, conversation: conversation)
            note("didStartSending", message)
        }
        override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
            super.didCancelSending(message, conversation: conversation)
            note("didCancelSending", message)
        }
        override func willTransition(to style: MSMessagesAppPresentationStyle) {
            super.willTransition(to: style)
            note("willTransition")
        }
        override func didTransition(to style: MSMessagesAppPresentationStyle) {
            super.didTransition(to: style)
            note("didTransition")
        }
    }

    /// The same without `super`.
    final class Curt: MSMessagesAppViewController {
        static var calls: [String] = []

        private func note(_ call: String, _ message: MSMessage? = nil) {
            let url = message?.url?.absoluteString ?? ""
            let selected = activeConversation?.selectedMessage?.url?.absoluteString ?? "-"
            let style = presentationStyle == .compact ? "compact" : "expanded"
            Self.calls.append("\(call) \(url) selected \(selected) \(style)")
        }

        override func viewDidLoad() { note("didLoad") }
        override func viewWillAppear(_ animated: Bool) { note("willAppear") }
        override func viewDidAppear(_ animated: Bool) { note("didAppear") }
        override func viewWillDisappear(_ animated: Bool) { note("willDisappear") }
        override func willBecomeActive(with conversation: MSConversation) {
            note("willBecomeActive")
        }
        override func didBecomeActive(with conversation: MSConversation) {
            note("didBecomeActive")
        }
        override func willResignActive(with conversation: MSConversation) {
            note("willResignActive")
        }
        override func didResignActive(with conversation: MSConversation) {
            note("didResignActive")
        }
        override func willSelect(_ message: MSMessage, conversation: MSConversation) {
            note("willSelect", message)
        }
        override func didSelect(_ message: MSMessage, conversation: MSConversation) {
            note("didSelect", message)
        }
        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            note("didReceive", message)
        }
        override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
            note("didStartSending", message)
        }
        override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
            note("didCancelSending", message)
        }
        override func willTransition(to style: MSMessagesAppPresentationStyle) {
            note("willTransition")
        }
        override func didTransition(to style: MSMessagesAppPresentationStyle) {
            note("didTransition")
        }
    }

    /// Everything that can happen to an app.
    private func play(_ type: MSMessagesAppViewController.Type) throws {
        let harness = Harness(apps: [type], participants: ["ann", "ben"])
        let (ann, ben) = (try harness["ann"], try harness["ben"])
        try ann.open()
        ann.conversation?.insert(MSMessage("?draft"))
        harness.settle()
        ann.deleteDraft()
        ann.conversation?.insert(MSMessage("?first", in: MSSession()))
        harness.settle()
        try ann.send()
        try ben.tapBubble()
        ben.conversation?.send(MSMessage("?answer", in: ben.conversation?.selectedMessage?.session))
        harness.settle()
        try ann.tapBubble()
        ann.collapse()
        ann.closeApp()
        ben.closeApp()
    }

    /// "Subclasses that never call `super` behave identically": section 5.3, counted in apps; the
    /// base implementations are empty.
    @Test func callingSuperMakesNoDifference() throws {
        (Polite.calls, Curt.calls) = ([], [])
        try play(Polite.self)
        try play(Curt.self)
        #expect(Polite.calls == Curt.calls)
        let kinds = Set(Curt.calls.map { $0.prefix { $0 != " " } })
        #expect(kinds.count == 15, "\(kinds)")
    }
}
