import Foundation
package import Messages
package import ParleyNode

/// Runs apps on a node, as Messages.app does on a phone.
///
/// All work is done on the main actor. A panel is made when somebody opens an app in a
/// conversation, and kept until the node leaves the conversation.
@MainActor
public final class AppHost {
    /// The apps, in the order in which they were given.
    public let apps: [HostedApp]
    /// The settings of the host.
    public let settings: HostSettings

    /// Called with the name of a conversation when something that people see of it may have
    /// changed.
    package var observer: (@MainActor (String) -> Void)?
    /// Called with each event of the node, once the host has it, and with the end of the host.
    package var eventObserver: (@MainActor (HostNodeEvent) -> Void)?
    /// Called with the name of a conversation and the messages in it whose stickers have changed.
    package var stickerObserver: (@MainActor (String, Set<MessageID>) -> Void)?

    /// Called when a participant asks this device to move.
    package var nudgeObserver: (@MainActor (ParleyNudge) -> Void)?

    let node: any HostNode
    /// The completion handlers of all apps, which the main queue calls.
    package let completionQueue = CompletionQueue()
    let models: ConversationModels
    let matches: MatchKeeper
    /// Sessions whose shown message is told to apps once its picture has arrived.
    var waitingForPicture: Set<PlacedSession> = []
    private var panels: [PanelKey: AppPanel] = [:]
    /// Sessions that changed while apps were closed.
    private var arrivals = Arrivals()
    private let keeper: ArrivalKeeper?
    /// The folders of the apps; nil if nothing is kept on disk.
    let folders: AppFolders?
    /// The last entries of transcripts as people see them, until they change.
    var recent = RecentBubbles()
    /// The apps that run without a person, by their ID.
    private var headless: Set<String>
    private var listeners: [UInt64: Listener] = [:]
    /// The apps whose use of `shouldExpire` is in the log already.
    private var expiringApps: Set<String> = []
    private var lastListener: UInt64 = 0
    private var lastSerial: UInt64 = 0
    /// The highest version of any screen that has ended.
    private var lastVersion: UInt64
    /// Whether no event of the node will come any more.
    package internal(set) var hasEnded = false

    private struct Listener {
        let conversation: String
        let stream: AsyncStream<Void>.Continuation
    }

    private struct PanelKey: Hashable {
        let app: String
        let conversation: String
    }

    /// A host of apps; call `start` before anything is opened.
    ///
    /// - Parameters:
    ///   - apps: The apps.
    ///   - settings: The settings of the host.
    ///   - node: The node on which the apps run.
    ///   - version: A number that is not below the version of any screen of an earlier host here.
    ///   - file: Where sessions that change while an app is closed are kept over a restart; nil to
    ///     forget them when the host stops.
    ///   - folders: Where apps keep files of their own; nil if they keep none.
    package init(
        apps: [HostedApp],
        settings: HostSettings = HostSettings(),
        node: any HostNode,
        versionsAfter version: UInt64 = 0,
        keepingArrivalsIn file: KeptFile? = nil,
        folders: AppFolders? = nil
    ) {
        self.folders = folders
        lastVersion = version
        keeper = file.map { ArrivalKeeper($0, log: settings.log) }
        self.apps = apps
        self.settings = settings
        self.node = node
        models = ConversationModels(node, rules: AppRules(apps))
        matches = MatchKeeper(node, models)
        headless = Set(apps.filter(\.startsHeadless).map(\.id))
        matches.host = self
    }

    /// Starts to listen to the node, and starts the headless apps.
    package func start() {
        node.observer = { [weak self] event in self?.take(event) }
        let rules = AppRules(apps)
        node.use { move in rules.ruling(move).flatMap(\.isAllowed) }
        models.observer = { [weak self] event in self?.take(event) }
        models.stickerObserver = { [weak self] conversation, messages in
            self?.recent.changed(conversation)
            self?.stickerObserver?(conversation, messages)
            self?.noticed(conversation)
        }
        models.fellBehind = { [weak self] model in self?.reload(model) }
        models.sessionObserver = { [weak matches] model, session in
            matches?.sessionChanged(session, model)
        }
        models.readObserver = { [weak matches] model in
            matches?.readAdditions(to: model.messages { $0.content?.match != nil }, model)
        }
        models.isMyTurn = { [weak self] message, model in
            self?.isMyTurn(message, model) ?? false
        }
        if settings.replaysArrivals, let keeper { arrivals = keeper.kept }
        matches.start()
        keeper?.arrivals = { [weak self] in self?.lastingArrivals ?? Arrivals() }
        startHeadless()
    }

    /// Closes every app.
    public func stop() {
        keeper?.finish()
        for panel in orderedPanels { panel.close() }
        panels = [:]
        models.keep([])
        node.stop()
        take(.ended)
        waitingForPicture = []
        arrivals = Arrivals()
        recent = RecentBubbles()
        for listener in listeners.values { listener.stream.finish() }
        listeners = [:]
    }

    /// Releases the apps without closing them, when nobody uses the host any more.
    ///
    /// An open app refers to its host. Unless `stop` or this is called, both stay in memory, and
    /// the files of movies that arrived stay on disk.
    package func releaseApps() { panels = [:] }

    // MARK: Watching

    /// A stream with an element whenever something that people see of a conversation may have
    /// changed.
    ///
    /// Changes that happen before the last element was taken are combined into one.
    public func changes(in conversation: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        lastListener += 1
        let number = lastListener
        listeners[number] = Listener(conversation: conversation, stream: continuation)
        continuation.onTermination = { [weak self] _ in
            DispatchQueue.main.async {
                MainActor.assumeIsolated { _ = self?.listeners.removeValue(forKey: number) }
            }
        }
        return stream
    }

    /// Whether somebody looks at a conversation; without pages, people use a terminal.
    func isSeen(in conversation: String) -> Bool {
        matches.isOnPage ?? true || listeners.values.contains { $0.conversation == conversation }
    }

    /// Notes whether some page shows what apps draw.
    package func isOnPage(_ isOnPage: Bool) {
        guard matches.isOnPage != isOnPage else { return }
        matches.isOnPage = isOnPage
        for panel in orderedPanels { noticed(panel.conversation) }
    }

    /// A new serial number for the display of an app, higher than all earlier ones.
    package func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Makes a screen on which actions that were chosen on earlier screens are stale.
    func makeScreen(of controller: UIViewController) -> ParleyView.Screen {
        ParleyView.Screen(controller, after: lastVersion)
    }

    /// Notes the version of a screen that is not used any more.
    func ended(_ screen: ParleyView.Screen) {
        lastVersion = max(lastVersion, screen.version)
    }

    func noticed(_ conversation: String) {
        matches.look(at: panels(in: conversation), of: conversation)
        observer?(conversation)
        for listener in listeners.values where listener.conversation == conversation {
            listener.stream.yield()
        }
    }

    // MARK: Panels

    /// The app that a person means by `word`.
    public func app(called word: String) throws(HostError) -> HostedApp {
        let exact = apps.first { $0.id == word }
        guard let app = exact ?? apps.first(where: { $0.isCalled(word) }) else {
            throw .unknownApp(word)
        }
        return app
    }

    /// Finds or makes the panel of an app in a conversation; a new panel is closed.
    public func panel(
        _ app: HostedApp,
        in conversation: String,
        _ answer: @escaping @MainActor (Result<AppPanel, HostError>) -> Void
    ) {
        models.model(of: conversation) { [weak self] result in
            guard let self else { return }
            answer(
                result.map { self.panel(app, $0, isHeadless: self.runsHeadless(app)) }
            )
        }
    }

    /// The same, awaited.
    public func panel(_ app: HostedApp, in conversation: String) async throws(HostError)
        -> AppPanel
    {
        try await HostError.awaited { panel(app, in: conversation, $0) }
    }

    private func panel(
        _ app: HostedApp,
        _ model: ConversationModel,
        isHeadless: Bool
    ) -> AppPanel {
        let key = PanelKey(app: app.id, conversation: model.name)
        if let panel = panels[key] { return panel }
        let panel = AppPanel(app, model, host: self, isHeadless: isHeadless)
        // A headless app is told of all sessions when it starts.
        if isHeadless { _ = takeMissed(by: app, in: model.name) }
        panels[key] = panel
        return panel
    }

    /// Whether some app has matches.
    var hasMatches: Bool { apps.contains { $0.seats != nil } }

    /// All panels, sorted by conversation and app.
    package var orderedPanels: [AppPanel] {
        panels.sorted {
            ($0.key.conversation, $0.key.app) < ($1.key.conversation, $1.key.app)
        }
        .map(\.value)
    }

    package func panels(in conversation: String) -> [AppPanel] {
        orderedPanels.filter { $0.conversation == conversation }
    }

    /// Closes the apps in all conversations but these.
    func keepPanels(in conversations: Set<String>) {
        for panel in orderedPanels where !conversations.contains(panel.conversation) {
            panel.close()
        }
        panels = panels.filter { conversations.contains($0.key.conversation) }
        arrivals.keep(conversations)
        recent.keep(conversations)
        keeper?.changed()
    }

    // MARK: Arrivals

    /// Remembers the message for its apps that have no panel in the conversation yet.
    func keepForLater(_ message: Message, in conversation: String) {
        for app in apps where app.speaks == message.content?.app {
            guard panels[PanelKey(app: app.id, conversation: conversation)] == nil else { continue }
            missed(message.session, by: app, in: conversation)
        }
    }

    /// Remembers that a session has changed while the app was closed.
    func missed(_ session: SessionID, by app: HostedApp, in conversation: String) {
        arrivals.add(session, at: Arrivals.Place(app: app.id, conversation: conversation))
        keeper?.changed()
    }

    /// Returns the sessions that changed while the app was closed, and forgets them.
    func takeMissed(by app: HostedApp, in conversation: String) -> [SessionID] {
        defer { keeper?.changed() }
        return arrivals.take(at: Arrivals.Place(app: app.id, conversation: conversation))
    }

    /// Keeps the arrivals for a restart, soon.
    func arrivalsChanged() { keeper?.changed() }

    /// The arrivals to replay after a restart, with the messages that still wait for a picture.
    private var lastingArrivals: Arrivals {
        guard settings.replaysArrivals else { return Arrivals() }
        var lasting = arrivals
        let waiting = waitingForPicture.sorted { "\($0.session)" < "\($1.session)" }
        for waiting in waiting {
            let shown = models[waiting.conversation]?.sessions[waiting.session]?.shown
            for app in apps where app.speaks == shown?.content?.app && !runsHeadless(app) {
                lasting.add(
                    waiting.session,
                    at: Arrivals.Place(app: app.id, conversation: waiting.conversation)
                )
            }
        }
        return lasting
    }

    /// Tells the author of an app, once, that `shouldExpire` has no effect here.
    func setsShouldExpire(_ app: HostedApp) {
        guard expiringApps.insert(app.id).inserted else { return }
        settings.log(
            "\(app.id) sets shouldExpire: messages carry it, and no node deletes them because of "
                + "it (docs/messages-api.md)"
        )
    }

    /// Carries out the requests that apps made of their conversations since the last call.
    package func takeRequests() {
        for panel in orderedPanels { panel.takeRequests() }
    }

    /// Waits until the requests of the apps' last calls are done.
    package func finishTurn() async {
        await withCheckedContinuation { done in completionQueue.add { done.resume() } }
    }

    /// Whether no message waits for its picture.
    package var isComplete: Bool { waitingForPicture.isEmpty }

    // MARK: Apps without a person

    /// Whether an app runs headless, because it is registered so or because of `startHeadless`.
    public func runsHeadless(_ app: HostedApp) -> Bool { headless.contains(app.id) }

    /// Runs an app headless from now on, in every conversation in which this node may write.
    ///
    /// - Throws: `unknownApp`.
    public func startHeadless(_ word: String) throws(HostError) {
        let app = try app(called: word)
        headless.insert(app.id)
        startHeadless(app)
    }

    func startHeadless() {
        for app in apps where runsHeadless(app) { startHeadless(app) }
    }

    private func startHeadless(_ app: HostedApp) {
        node.conversations { [weak self] result in
            guard case .success(let conversations) = result else { return }
            for conversation in conversations where conversation.role == .writer {
                self?.models.model(of: conversation.name) { [weak self] result in
                    guard case .success(let model) = result else { return }
                    let panel = self?.panel(app, model, isHeadless: true)
                    // Nobody could see the error of a headless app, so the app just never answers.
                    try? panel?.open()
                }
            }
        }
    }

    // MARK: Reading

    /// Reads the contents of a message, its picture included.
    func contents(
        of message: Message,
        in conversation: String,
        _ answer: @escaping @MainActor (Result<MessageContents, MessageFault>) -> Void
    ) {
        func made(_ picture: Data?) -> Result<MessageContents, MessageFault> {
            do throws(MessageFault) {
                return .success(
                    try IncomingMessage.contents(
                        of: message,
                        picture: picture,
                        media: settings.media
                    )
                )
            } catch {
                return .failure(error)
            }
        }
        guard message.picture != nil else { return answer(made(nil)) }
        node.picture(
            of: message.id,
            session: message.session,
            in: conversation
        ) { result in
            // A picture that the node cannot read counts as not arrived.
            answer(made((try? result.get()) ?? nil))
        }
    }
}
