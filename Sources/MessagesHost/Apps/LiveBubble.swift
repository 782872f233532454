import Dispatch
public import Foundation
public import Messages
public import ParleyNode

/// A bubble that the app draws itself, with a `.transcript` controller for just this message.
///
/// The controller is called when it becomes active and when it resigns, and neither for messages
/// nor for changes of style.
@MainActor
public final class LiveBubble {
    /// The message.
    public let id: MessageID
    /// The screen with the drawing of the app.
    public let screen: ParleyView.Screen
    /// The size in which the app draws, at most the size that was offered.
    public private(set) var size: CGSize

    private let panel: AppPanel
    private let controller: MSMessagesAppViewController
    private let conversation: HostedConversation
    private let port: ConversationPort
    private var isOpen = true

    init?(_ known: KnownMessage, _ id: MessageID, panel: AppPanel, offered: CGSize) {
        guard let controller = panel.app.makeController() else { return nil }
        let wake = LiveWake()
        let port = ConversationPort(completionQueue: panel.host.completionQueue) {
            DispatchQueue.main.async { MainActor.assumeIsolated { wake.bubble?.takeRequests() } }
        }
        self.id = id
        self.panel = panel
        self.controller = controller
        self.port = port
        conversation = HostedConversation(panel: panel, port: port)
        screen = panel.host.makeScreen(of: controller)
        size = offered
        wake.bubble = self
        screen.invalidation = { [weak self] in self?.panel.changed() }
        controller.host = self
        controller.presentationStyle = .transcript
        conversation.selectedMessage = known.message
        controller.activeConversation = conversation
        begin(offered)
        panel.bubbles.removeAll { $0.bubble == nil }
        panel.bubbles.append(ShownBubble(bubble: self))
    }

    private func begin(_ offered: CGSize) {
        controller.loadViewIfNeeded()
        controller.willBecomeActive(with: conversation)
        controller.didBecomeActive(with: conversation)
        fit(into: offered)
        screen.appear()
        takeRequests()
    }

    /// Asks the app again for its size, after the size that the transcript offers has changed.
    public func fit(into offered: CGSize) {
        let wanted = controller.contentSizeThatFits(offered)
        size = CGSize(
            width: Self.held(wanted.width, offered.width),
            height: Self.held(wanted.height, offered.height)
        )
    }

    private static func held(_ wanted: CGFloat, _ offered: CGFloat) -> CGFloat {
        wanted.isFinite ? min(max(wanted, 0), offered) : offered
    }

    /// The views of the app, with names in its texts.
    public var tree: ParleyView.Tree { screen.tree.reworded(panel.model.names.resolved) }

    /// Carries out an action that a person chose in the tree of that version.
    public func perform(
        _ action: ParleyView.Action,
        on id: ParleyView.Identity,
        seenIn version: UInt64
    ) throws(ParleyView.ActionError) {
        guard isOpen else { throw .notFound }
        panel.gate.touched()
        defer { takeRequests() }
        try screen.perform(action, on: id, seenIn: version)
    }

    /// Closes the bubble, for example when its message is not shown any more.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        controller.beginAppearanceTransition(false, animated: false)
        controller.willResignActive(with: conversation)
        controller.didResignActive(with: conversation)
        takeRequests()
        panel.host.ended(screen)
        controller.activeConversation = nil
    }

    /// Updates the participants of the conversation.
    func participantsChanged() {
        conversation.participantsChanged()
    }

    func takeRequests() {
        for request in port.take() { panel.take(request, isVisible: true) }
    }
}

extension LiveBubble: MessagesAppHosting {
    /// Opens the app in the wanted style with another controller; this controller stays a bubble.
    package func presentationStyleRequested(
        _ style: MSMessagesAppPresentationStyle,
        by controller: MSMessagesAppViewController
    ) {
        panel.host.completionQueue.add { [panel, id] in
            MainActor.assumeIsolated {
                guard style == .compact else { return panel.tap(id) }
                panel.tap(id, opening: .compact) { [panel] result in
                    if case .success = result { panel.setStyle(.compact) }
                }
            }
        }
    }

    /// Does nothing, as a bubble cannot be dismissed.
    package func dismissRequested(by controller: MSMessagesAppViewController) {}

    package var documentsDirectory: URL? { panel.documentsDirectory }
}

/// A weak reference to a bubble, which is released when nobody shows it.
struct ShownBubble {
    weak var bubble: LiveBubble?
}

/// A weak reference from a port to its bubble, which is set after both are made.
@MainActor
private final class LiveWake {
    weak var bubble: LiveBubble?
}

extension AppHost {
    /// Lets the app of a message with a live layout draw it.
    ///
    /// - Parameters:
    ///   - bubble: The entry of the transcript.
    ///   - conversation: The name of its conversation.
    ///   - offered: The largest size in which the app may draw.
    ///   - answer: Called with the bubble; nil if its layout is not live or no app here has it.
    public func live(
        _ bubble: Bubble,
        in conversation: String,
        offered: CGSize,
        _ answer: @escaping @MainActor (LiveBubble?) -> Void
    ) {
        guard bubble.layout?.isLive == true,
            let app = apps.first(where: { $0.speaks == bubble.app && !$0.startsHeadless })
        else { return answer(nil) }
        panel(app, in: conversation) { [weak self] result in
            guard case .success(let panel) = result, let self else { return answer(nil) }
            head(bubble.id, of: panel.model) { message in
                guard let message else { return answer(nil) }
                panel.known(message) { result in
                    guard case .success(let known) = result else { return answer(nil) }
                    answer(LiveBubble(known, bubble.id, panel: panel, offered: offered))
                }
            }
        }
    }
}
