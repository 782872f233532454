import Messages
import MessagesHost
import ParleyAPI
import ParleyNode

extension ScreenDocument {
    /// The number of transcript entries on a screen.
    private static let bubblesMax = 50

    /// Makes the document of the present screen of an app.
    @MainActor
    init(_ panel: AppPanel, _ host: AppHost) async throws(HostError) {
        let bubbles = try await host.bubbles(of: panel.conversation, last: Self.bubblesMax)
        // From here on nothing suspends, so that all values are of one moment.
        let serial = host.nextSerial()
        let tree = panel.tree
        let numbers = tree.map(panel.numbers(of:)) ?? [:]
        let actions = (tree?.usable ?? []).map { node in
            Action(
                number: numbers[node.id] ?? 0,
                node: node.id.description,
                kinds: node.takes.map { "\($0)" }.sorted()
            )
        }
        let messages = panel.numbers(of: bubbles)
        self.init(
            serial: serial,
            app: AppDocument(panel.app, runsHeadless: panel.isHeadless),
            conversation: panel.conversation,
            style: panel.style.map { $0 == .compact ? "compact" : "expanded" },
            version: tree?.version ?? 0,
            text: tree.map { ScreenText($0, numbers: numbers).lines.joined(separator: "\n") } ?? "",
            actions: actions,
            draft: panel.draft.map { StagedDraft($0, names: panel.resolved) },
            typed: panel.text,
            items: panel.itemCount,
            bubbles: bubbles.map { Bubble($0, in: panel.app, numbers: messages) }
        )
        let staged = panel.stickers.map { Sticker(id: "\($0.id)", description: $0.description) }
        stickers = staged.isEmpty ? nil : staged
    }
}

extension ScreenDocument.StagedDraft {
    @MainActor
    fileprivate init(_ message: MSMessage, names: (String) -> String) {
        let layout = message.layout as? MSMessageTemplateLayout
        let live = message.layout as? MSMessageLiveLayout
        let caption = layout?.caption ?? live?.alternateLayout.caption
        self.init(
            line: names(caption ?? message.summaryText ?? "A message"),
            url: message.url?.absoluteString,
            error: message.error.map { error in
                (error as? HostError).map { Problem($0).message } ?? error.localizedDescription
            }
        )
    }
}

extension ScreenDocument.Bubble {
    fileprivate init(_ bubble: Bubble, in app: HostedApp, numbers: [SessionID: Int]) {
        let isOwn = bubble.kind == .message && bubble.app == app.speaks
        self.init(
            kind: bubble.kind == .message ? "message" : "summary",
            id: bubble.id.description,
            session: bubble.session.description,
            sender: bubble.sender,
            mine: bubble.isMine,
            line: bubble.line,
            own: isOwn ? true : nil,
            number: bubble.kind == .message ? numbers[bubble.session] : nil,
            conflict: bubble.isConflict ? true : nil,
            stickers: bubble.stickers.isEmpty ? nil : bubble.stickers.map { .init($0) }
        )
    }
}

extension ScreenDocument.Sticker {
    fileprivate init(_ sticker: PlacedSticker) {
        self.init(
            id: sticker.id.description,
            description: sticker.description,
            mine: sticker.isMine ? true : nil
        )
    }
}

extension AppDocument {
    /// Makes the document of an app; `runsHeadless` says whether it runs without a person.
    init(_ app: HostedApp, runsHeadless: Bool) {
        self.init(
            id: app.id,
            name: app.name,
            speaks: app.speaks == app.id ? nil : app.speaks,
            headless: runsHeadless ? true : nil,
            hasScreen: app.hasScreen ? nil : false,
            line: app.line
        )
    }
}
