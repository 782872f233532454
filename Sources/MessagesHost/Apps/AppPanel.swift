import Foundation
public import Messages
package import ParleyNode

/// An app in a conversation of a node, with its controller, its draft and the selection.
///
/// `AppPanel+People.swift` has the actions of people, `AppPanel+Requests.swift` the requests of the
/// app, and `AppPanel+News.swift` the events of the node.
@MainActor
public final class AppPanel {
    /// The app.
    public let app: HostedApp
    /// The conversation's name on this node.
    public let conversation: String
    /// The screen of the app; nil while it is closed.
    public var screen: ParleyView.Screen? { running?.screen }
    /// Whether the app runs without a person, and sends at once the messages that it stages.
    public let isHeadless: Bool

    let model: ConversationModel
    let host: AppHost
    var known = KnownMessages()
    var gate: SendGate
    /// Messages whose picture is being read for the app; true if the message was received again
    /// during the read.
    var receiving: [MessageID: Bool] = [:]
    /// Messages that were handed to the node, which has not answered yet.
    var underWay: Set<MessageKey> = []
    /// The live bubbles of the app that somebody shows.
    var bubbles: [ShownBubble] = []
    /// What the app said about messages that are not sent yet.
    var notes: [ObjectIdentifier: MessageNotes] = [:]
    /// The sessions of matches that the person only watches.
    var watched: Set<SessionID> = []
    /// The match that the person is asked whether to leave.
    var quitting: SessionID?
    /// The input field without the app's message.
    var field = InputField()
    /// The numbers of the messages, for people in a terminal.
    private var sessionNumbers = SessionNumbers()

    private(set) var machine: AppMachine
    /// The app while it runs.
    var running: RunningApp?
    private var events: [AppEvent] = []
    private var isHandling = false
    /// Handlers to call when the node has answered for a message that was in the input field.
    private var senders: [MessageKey: @MainActor (Result<Void, HostError>) -> Void] = [:]

    init(_ app: HostedApp, _ model: ConversationModel, host: AppHost, isHeadless: Bool) {
        self.app = app
        self.model = model
        self.host = host
        self.isHeadless = isHeadless
        conversation = model.name
        let context = isHeadless ? .messages : host.settings.context
        machine = AppMachine(context: context)
        gate = SendGate(
            policy: isHeadless ? .permissive : host.settings.sendPolicy,
            context: context
        )
    }

    // MARK: Events

    /// Gives an event to the machine and carries out the steps.
    ///
    /// An event that the app causes in a step is handled after the current event.
    func handle(_ event: AppEvent) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer {
            isHandling = false
            changed()
        }
        while !events.isEmpty {
            for step in machine.handle(events.removeFirst()) { perform(step) }
        }
    }

    private func perform(_ step: AppStep) {
        switch step {
        case .setStyle(let style): become(style)
        case .select(let key):
            running?.conversation.selectedMessage = key.flatMap { known[$0]?.message }
        case .activate: running?.controller.activeConversation = running?.conversation
        case .deactivate: deactivate()
        case .stage, .unstage: break
        case .send(let key): submit(key)
        case .settle(let key): settle(key)
        default: running?.call(step) { known[$0]?.message }
        }
        takeRequests()
    }

    private func become(_ style: AppStyle) {
        if running == nil { makeController() }
        running?.controller.presentationStyle = style.presentationStyle
        running?.controller.sizeChanged()
    }

    private func makeController() {
        guard let controller = app.makeController() else { return }
        let port = ConversationPort(completionQueue: host.completionQueue) { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.takeRequests() } }
        }
        controller.host = self
        controller.presentationContext = machine.context == .media ? .media : .messages
        let screen = host.makeScreen(of: controller)
        screen.invalidation = { [weak self] in self?.changed() }
        if app.seats != nil {
            screen.surroundings = { [weak self] in self?.matchViews ?? (.empty, .empty) }
        }
        running = RunningApp(
            controller: controller,
            conversation: HostedConversation(panel: self, port: port),
            port: port,
            screen: screen
        )
        gate.launched()
    }

    private func deactivate() {
        takeRequests()
        guard let running else { return }
        host.ended(running.screen)
        running.controller.activeConversation = nil
        running.controller.host = nil
        self.running = nil
    }

    /// Registers a handler to call when the node has answered for a message.
    func follow(_ key: MessageKey, _ done: @escaping @MainActor (Result<Void, HostError>) -> Void) {
        senders[key] = done
    }

    /// Calls the handler that waits for a message.
    func answer(_ key: MessageKey, _ result: Result<Void, HostError>) {
        senders.removeValue(forKey: key)?(result)
    }

    private func settle(_ key: MessageKey) {
        underWay.remove(key)
        known[key]?.status.sent(by: model.me.id)
    }

    // MARK: Numbers for terminals

    /// The numbers of the views that a person can use now.
    package func numbers(of tree: ParleyView.Tree) -> [ParleyView.Identity: Int] {
        // The buttons of a match get the last numbers, though they stand over the app's views.
        let views = tree.usable.map(\.id)
        let own = views.filter { !$0.isInSurroundings }
        return running?.viewNumbers.number(own + views.filter(\.isInSurroundings)) ?? [:]
    }

    /// The numbers of the messages among these entries of the transcript, by session.
    package func numbers(of bubbles: [Bubble]) -> [SessionID: Int] {
        sessionNumbers.number(bubbles.filter { $0.kind == .message }.map(\.session))
    }

    // MARK: Calls

    /// Calls a function that Apple does not have, if the app runs and has such functions.
    func tell(_ body: (any ParleyApp, HostedConversation) -> Void) {
        guard let running, let app = running.controller as? any ParleyApp else { return }
        body(app, running.conversation)
        takeRequests()
    }

    /// Tells the host that the visible part of the app may have changed.
    func changed() {
        host.noticed(conversation)
    }

    /// Carries out the requests that the app made of its conversation since the last call.
    package func takeRequests() {
        guard let running else { return }
        for request in running.port.take() {
            take(request, isVisible: machine.isOpen && !isHeadless)
        }
    }

    /// The ID of the selected message; nil if there is none, or if it is not sent yet.
    package var selectedID: MessageID? { machine.selection.flatMap { known[$0]?.id } }

    /// The messages that the panel must remember: the selection, the draft, and unfinished sends.
    var keptKeys: Set<MessageKey> {
        var keys = underWay
        if let key = machine.selection { keys.insert(key) }
        if case .staged(let key) = machine.field { keys.insert(key) }
        return keys
    }
}

extension AppStyle {
    /// The corresponding style of `Messages`.
    var presentationStyle: MSMessagesAppPresentationStyle {
        self == .compact ? .compact : .expanded
    }
}

extension AppPanel: MessagesAppHosting {
    package func presentationStyleRequested(
        _ style: MSMessagesAppPresentationStyle,
        by controller: MSMessagesAppViewController
    ) {
        let wanted: AppStyle = style == .compact ? .compact : .expanded
        afterThisTurn(of: controller) { $0.handle(.styleWanted(wanted)) }
    }

    package func dismissRequested(by controller: MSMessagesAppViewController) {
        afterThisTurn(of: controller) { $0.handle(.closed) }
    }

    /// Does `work` after the code of the app has returned and its waiting requests were taken.
    private func afterThisTurn(
        of controller: MSMessagesAppViewController,
        _ work: @escaping @MainActor @Sendable (AppPanel) -> Void
    ) {
        host.completionQueue.add { [weak self, weak controller] in
            MainActor.assumeIsolated {
                guard let self, let controller, self.running?.controller === controller else {
                    return
                }
                self.takeRequests()
                work(self)
            }
        }
    }

    package var documentsDirectory: URL? { host.folders?.folder(of: app.id) }
}
