import Foundation
import Messages
import MessagesHost

/// An app that notes every call and does what a test tells it.
///
/// Notes outlive the controller, which goes when the app is closed. Tests with it are synchronous
/// and on the main actor, so they do not meet.
final class Probe: MSMessagesAppViewController, ParleyApp {
    static var calls: [String] = []
    /// The action of the app when it receives a message.
    static var reply: (@MainActor (Probe, MSMessage) -> Void)?
    static var received: [MSMessage] = []
    static var faults: [MessageFault] = []
    static var deliveries: [DeliveryState] = []
    static var conflicts: [(shown: MSMessage, others: [MSMessage])] = []

    static func reset() {
        calls = []
        reply = nil
        received = []
        faults = []
        deliveries = []
        conflicts = []
    }

    /// Returns the calls that were noted since the last time.
    static func take() -> [String] {
        defer { calls = [] }
        return calls
    }

    /// The calls of this controller alone, for tests that wait, and so meet others.
    private(set) var own: [String] = []

    private func note(_ call: String) {
        Self.calls.append(call)
        own.append(call)
    }

    private func note(_ call: String, _ message: MSMessage) {
        let selected = activeConversation?.selectedMessage?.url?.absoluteString ?? "-"
        let style = presentationStyle == .compact ? "compact" : "expanded"
        note("\(call) \(message.url?.absoluteString ?? "-") selected \(selected) \(style)")
    }

    override func viewDidLoad() { note("viewDidLoad") }
    override func viewWillAppear(_ animated: Bool) { note("viewWillAppear") }
    override func viewDidAppear(_ animated: Bool) { note("viewDidAppear") }
    override func viewWillDisappear(_ animated: Bool) { note("viewWillDisappear") }
    override func viewDidDisappear(_ animated: Bool) { note("viewDidDisappear") }

    override func willBecomeActive(with conversation: MSConversation) {
        let selected = conversation.selectedMessage?.url?.absoluteString ?? "-"
        note("willBecomeActive selected \(selected) active \(activeConversation != nil)")
    }
    override func didBecomeActive(with conversation: MSConversation) { note("didBecomeActive") }
    override func willResignActive(with conversation: MSConversation) {
        note("willResignActive active \(activeConversation != nil)")
    }
    override func didResignActive(with conversation: MSConversation) { note("didResignActive") }

    override func willSelect(_ message: MSMessage, conversation: MSConversation) {
        note("willSelect", message)
    }
    override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        note("didSelect", message)
    }
    override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        note("didReceive", message)
        Self.received.append(message)
        Self.reply?(self, message)
    }
    override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        note("didStartSending", message)
    }
    override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        note("didCancelSending", message)
    }
    override func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        note("willTransition \(presentationStyle) from \(self.presentationStyle)")
    }
    override func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        note("didTransition \(presentationStyle) now \(self.presentationStyle)")
    }

    func deliveryDidChange(
        of message: MSMessage,
        to state: DeliveryState,
        conversation: MSConversation
    ) {
        Self.deliveries.append(state)
    }

    func conflictDidChange(
        shown: MSMessage,
        others: [MSMessage],
        conversation: MSConversation
    ) {
        Self.conflicts.append((shown, others))
    }

    func didReceiveOutOfTurn(from participant: UUID, conversation: MSConversation) {
        note("outOfTurn")
    }

    func didReceiveFaultyMessage(
        _ fault: MessageFault,
        from participant: UUID,
        conversation: MSConversation
    ) {
        Self.faults.append(fault)
    }
}

extension MSMessage {
    /// A message with that URL, in a session if there is one.
    convenience init(_ text: String, in session: MSSession? = nil) {
        if let session { self.init(session: session) } else { self.init() }
        url = URL(string: text)
        let template = MSMessageTemplateLayout()
        template.caption = text
        layout = template
    }
}
