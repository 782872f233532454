import Dispatch
public import Foundation
public import Messages
public import ParleyNode

/// A bubble that its app draws: a `.transcript` controller of its own for one message.
///
/// It is told when it becomes active and when it ends, and neither of messages nor of styles.
@MainActor
public final class LiveBubble {
    /// The message.
    public let id: MessageID
    /// What the app draws.
    public let screen: View.Screen
    /// How large the app draws it, within what was offered.
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
        let view = ConversationModelView(
            local: panel.model.me.id,
            remotes: panel.model.remotes
        )
        self.id = id
        self.panel = panel
        self.controller = controller
        self.port = port
        conversation = HostedConversation(panel: panel, port: port, model: view)
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

    /// Asks the app anew how large it draws, as the transcript or the text has another size.
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

    /// Does what a person chose in a tree of that version.
    public func perform(
        _ action: View.Action,
        on id: View.Identity,
        seenIn version: UInt64
    ) throws(View.ActionError) {
        guard isOpen else { throw .gone }
        panel.gate.touched()
        defer { takeRequests() }
        try screen.perform(action, on: id, seenIn: version)
    }

    /// Ends it, as its message is not shown any more.
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

    /// Somebody new takes part.
    func participantsChanged() {
        conversation.remoteParticipantIdentifiers = panel.model.remotes
    }

    func takeRequests() {
        for request in port.take() { panel.take(request, isVisible: true) }
    }
}

extension LiveBubble: MessagesAppHosting {
    /// The app gets another controller in that style; this one stays a bubble.
    package func presentationStyleRequested(
        _ style: MSMessagesAppPresentationStyle,
        by controller: MSMessagesAppViewController
    ) {
        guard style == .compact else { return panel.tap(id) }
        panel.tap(id, opening: .compact) { [panel] result in
            if case .success = result { panel.setStyle(.compact) }
        }
    }

    /// A bubble is not dismissed.
    package func dismissRequested(by controller: MSMessagesAppViewController) {}
}

/// A bubble that goes when nobody shows it.
struct ShownBubble {
    weak var bubble: LiveBubble?
}

/// The way from a port to the bubble that has it.
@MainActor
private final class LiveWake {
    weak var bubble: LiveBubble?
}

extension AppHost {
    /// Lets the app of a message with a live layout draw it.
    ///
    /// - Parameters:
    ///   - bubble: The entry of the transcript.
    ///   - conversation: Where it stands.
    ///   - offered: The room that there is.
    ///   - answer: The bubble; nil if its layout is not live or no app here knows it.
    public func live(
        _ bubble: Bubble,
        in conversation: String,
        offered: CGSize,
        _ answer: @escaping @MainActor (LiveBubble?) -> Void
    ) {
        guard bubble.layout?.isLive == true,
            let app = apps.first(where: { $0.speaks == bubble.app && !$0.startsHeadless })
        else { return answer(nil) }
        panel(app, in: conversation) { result in
            guard case .success(let panel) = result,
                let message = panel.model.head(bubble.id)
            else { return answer(nil) }
            panel.known(message) { result in
                guard case .success(let known) = result else { return answer(nil) }
                answer(LiveBubble(known, bubble.id, panel: panel, offered: offered))
            }
        }
    }
}
