import Messages
import MessagesHost
import ParleyNode

extension ScreenDocument {
    /// Entries of the transcript that are shown.
    private static let bubblesMax = 50

    /// An app as it is now.
    @MainActor
    init(_ panel: AppPanel, _ host: AppHost) async throws(HostError) {
        let bubbles = try await host.bubbles(of: panel.conversation)
        // From here on nothing waits: what is read is of one moment.
        serial = host.nextSerial()
        let tree = panel.screen?.tree
        app = AppDocument(panel.app, runsHeadless: panel.isHeadless)
        conversation = panel.conversation
        style = panel.style.map { $0 == .compact ? "compact" : "expanded" }
        version = tree?.version ?? 0
        text = tree.map { ScreenText($0).lines.joined(separator: "\n") } ?? ""
        actions = (tree?.usable ?? []).enumerated().map { index, node in
            Action(
                number: index + 1,
                node: node.id.description,
                kinds: node.takes.map { "\($0)" }.sorted()
            )
        }
        draft = panel.draft.map { Draft($0, names: panel.resolved) }
        typed = panel.text
        items = panel.itemCount
        self.bubbles = bubbles.suffix(Self.bubblesMax).map { Bubble($0, in: panel.app) }
    }
}

extension ScreenDocument.Draft {
    @MainActor
    fileprivate init(_ message: MSMessage, names: (String) -> String) {
        let layout = message.layout as? MSMessageTemplateLayout
        let live = message.layout as? MSMessageLiveLayout
        let caption = layout?.caption ?? live?.alternateLayout.caption
        line = names(caption ?? message.summaryText ?? "A message")
        url = message.url?.absoluteString
        error = message.error.map { error in
            (error as? HostError).map { Problem($0).message } ?? error.localizedDescription
        }
    }
}

extension ScreenDocument.Bubble {
    fileprivate init(_ bubble: Bubble, in app: HostedApp) {
        kind = bubble.kind == .message ? "message" : "summary"
        id = bubble.id.description
        session = bubble.session.description
        sender = SenderDocument(bubble.sender)
        mine = bubble.isMine
        line = bubble.line
        own = bubble.kind == .message && bubble.app == app.speaks ? true : nil
        conflict = bubble.isConflict ? true : nil
    }
}
