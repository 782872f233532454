package import Foundation
import Messages
import ParleyNode

/// Runs apps on a node: what Messages.app is on a phone.
///
/// Everything is on the main actor. A panel is one app in one conversation; it is made when
/// somebody opens it, and kept.
@MainActor
public final class AppHost {
    /// The apps, in the order in which they were given.
    public let apps: [HostedApp]
    /// How they are run.
    public let settings: HostSettings

    let node: any HostNode
    /// Apps are answered here, never on the main actor.
    package let completionQueue = DispatchQueue(label: "parley.apps.completions")
    private var models: [String: ConversationModel] = [:]
    private var loading: [String: [@MainActor (Result<ConversationModel, HostError>) -> Void]] = [:]
    private var panels: [PanelKey: AppPanel] = [:]
    private var waitingForPicture: [SessionID: String] = [:]
    /// The apps that run without a person, by their ID.
    private var headless: Set<String>
    private var listeners: [UInt64: Listener] = [:]
    private var lastListener: UInt64 = 0
    private var lastSerial: UInt64 = 0

    private struct Listener {
        let conversation: String
        let stream: AsyncStream<Void>.Continuation
    }

    private struct PanelKey: Hashable {
        let app: String
        let conversation: String
    }

    /// A host of apps; `start` it before anything is opened.
    package init(apps: [HostedApp], settings: HostSettings = HostSettings(), node: any HostNode) {
        self.apps = apps
        self.settings = settings
        self.node = node
        headless = Set(apps.filter(\.startsHeadless).map(\.id))
    }

    /// Listens to the node, and starts the apps that run without a person.
    package func start() {
        node.observer = { [weak self] event in self?.take(event) }
        startHeadless()
    }

    /// Closes every app.
    public func stop() {
        for panel in orderedPanels { panel.close() }
        panels = [:]
        models = [:]
        node.stop()
        waitingForPicture = [:]
        for listener in listeners.values { listener.stream.finish() }
        listeners = [:]
    }

    // MARK: Watching

    /// Tells whenever something that people see of a conversation may have changed: look again.
    ///
    /// Changes that come while nobody takes the last one are told once.
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

    /// A number for what is shown of an app, higher than all before.
    package func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    func noticed(_ conversation: String) {
        for listener in listeners.values where listener.conversation == conversation {
            listener.stream.yield()
        }
    }

    // MARK: Panels

    /// The app that a person means.
    public func app(called word: String) throws(HostError) -> HostedApp {
        let exact = apps.first { $0.id == word }
        guard let app = exact ?? apps.first(where: { $0.isCalled(word) }) else {
            throw .unknownApp(word)
        }
        return app
    }

    /// The app in a conversation, closed if nobody opened it before.
    public func panel(
        _ app: HostedApp,
        in conversation: String,
        _ answer: @escaping @MainActor (Result<AppPanel, HostError>) -> Void
    ) {
        model(of: conversation) { [weak self] result in
            guard let self else { return }
            answer(
                result.map { self.panel(app, $0, isHeadless: self.headless.contains(app.id)) }
            )
        }
    }

    /// The same, awaited.
    public func panel(_ app: HostedApp, in conversation: String) async throws(HostError)
        -> AppPanel
    {
        let result = await withCheckedContinuation { done in
            panel(app, in: conversation) { done.resume(returning: $0) }
        }
        return try result.get()
    }

    private func panel(
        _ app: HostedApp,
        _ model: ConversationModel,
        isHeadless: Bool
    ) -> AppPanel {
        let key = PanelKey(app: app.id, conversation: model.name)
        if let panel = panels[key] { return panel }
        let panel = AppPanel(app, model, host: self, isHeadless: isHeadless)
        panels[key] = panel
        return panel
    }

    /// The panels of a conversation, or of all, by app and conversation.
    private var orderedPanels: [AppPanel] {
        panels.sorted {
            ($0.key.conversation, $0.key.app) < ($1.key.conversation, $1.key.app)
        }
        .map(\.value)
    }

    private func panels(in conversation: String) -> [AppPanel] {
        orderedPanels.filter { $0.conversation == conversation }
    }

    /// Does what apps asked of their conversations since.
    func takeRequests() {
        for panel in orderedPanels { panel.takeRequests() }
    }

    /// Whether no picture is waited for.
    var isComplete: Bool { waitingForPicture.isEmpty }

    // MARK: Apps without a person

    /// Runs an app without a person, wherever this node may write, from now on.
    ///
    /// - Throws: `unknownApp`.
    public func startHeadless(_ word: String) throws(HostError) {
        let app = try app(called: word)
        headless.insert(app.id)
        startHeadless(app)
    }

    private func startHeadless() {
        for app in apps where headless.contains(app.id) { startHeadless(app) }
    }

    private func startHeadless(_ app: HostedApp) {
        node.conversations { [weak self] result in
            guard case .success(let conversations) = result else { return }
            for conversation in conversations where conversation.role == .writer {
                self?.model(of: conversation.name) { [weak self] result in
                    guard case .success(let model) = result else { return }
                    let panel = self?.panel(app, model, isHeadless: true)
                    // An app that does not start is one that does not answer.
                    try? panel?.open()
                }
            }
        }
    }

    // MARK: Conversations

    /// What is known of a conversation, read once.
    func model(
        of conversation: String,
        _ answer: @escaping @MainActor (Result<ConversationModel, HostError>) -> Void
    ) {
        if let model = models[conversation] { return answer(.success(model)) }
        loading[conversation, default: []].append(answer)
        guard loading[conversation]?.count == 1 else { return }
        read(conversation) { [weak self] result in
            guard let self else { return }
            let made = result.map { ConversationModel($0.0, $0.1) }
            if case .success(let model) = made {
                self.models[conversation] = model
                self.mark(model)
                self.readConflicts(of: model)
            }
            for answer in self.loading.removeValue(forKey: conversation) ?? [] { answer(made) }
        }
    }

    /// A transcript does not have the other heads of a conflict.
    private func readConflicts(of model: ConversationModel) {
        for message in model.messages(where: \.isConflict) {
            conflict(message.session, model.name)
        }
    }

    private func read(
        _ conversation: String,
        _ answer:
            @escaping @MainActor (
                Result<(Conversation, [TranscriptEntry]), HostError>
            ) -> Void
    ) {
        node.conversations { [weak self] result in
            switch result {
            case .failure(let error): answer(.failure(HostError(error)))
            case .success(let all):
                guard let found = all.first(where: { $0.name == conversation }) else {
                    return answer(.failure(.node(.unknownConversation(conversation))))
                }
                self?.node.transcript(of: conversation) { result in
                    answer(result.map { (found, $0) }.mapError { HostError($0) })
                }
            }
        }
    }

    /// Lets the others know that this device takes part, before it has said anything: a session
    /// that begins with its end, of which nobody sees anything.
    private func mark(_ model: ConversationModel) {
        guard model.isUnheard else { return }
        let session = SessionMapping.mark(of: model.me.id)
        node.session(session) { [weak self] result in
            guard case .failure(.unknownSession) = result else { return }
            var draft = Draft(session: session, content: MessageContent())
            draft.isEnd = true
            // Who cannot write now is known as soon as it writes something.
            self?.node.send(draft, to: model.name) { _ in }
        }
    }
}

// MARK: News

extension AppHost {
    private func take(_ event: HostNodeEvent) {
        switch event {
        case .happened(let event): take(event)
        case .lostEvents: reload()
        }
    }

    private func take(_ event: NodeEvent) {
        switch event {
        case .shown(let conversation, let message): shown(message, conversation)
        case .summarized(let conversation, let summary):
            models[conversation]?.summarized(summary)
            noticed(conversation)
        case .conflict(let conversation, let session, _): conflict(session, conversation)
        case .outOfTurn(let conversation, let session, _, let participant):
            outOfTurn(session, participant, conversation)
        case .pictureArrived(let conversation, let session): pictureArrived(session, conversation)
        case .delivered(let conversation, _, let id, let nodes):
            for panel in panels(in: conversation) { panel.delivered(id, nodes: nodes) }
            noticed(conversation)
        case .conversationsChanged: conversationsChanged()
        case .peerChanged(_, isConnected: true): learnNames()
        case .peerChanged, .duplicateIdentity: break
        }
    }

    private func shown(_ message: Message, _ conversation: String) {
        guard let model = models[conversation] else { return }
        if model.learn(message.sender) {
            for panel in panels(in: conversation) { panel.participantsChanged() }
        }
        defer { noticed(conversation) }
        guard !message.isMark, model.shown(message) else { return }
        guard message.picture?.isHere ?? true else {
            waitingForPicture[message.session] = conversation
            return
        }
        waitingForPicture[message.session] = nil
        for panel in panels(in: conversation) { panel.shown(message) }
    }

    private func pictureArrived(_ session: SessionID, _ conversation: String) {
        noticed(conversation)
        guard waitingForPicture.removeValue(forKey: session) != nil,
            let shown = models[conversation]?.sessions[session]?.shown
        else { return }
        for panel in panels(in: conversation) { panel.shown(shown) }
    }

    /// The app hears of the message once its picture is here.
    func waitForPicture(of message: Message, in conversation: String) {
        guard let picture = message.picture, !picture.isHere else { return }
        waitingForPicture[message.session] = conversation
    }

    func hasPicture(of message: Message) {
        waitingForPicture[message.session] = nil
    }

    /// Whoever is linked has said what people call the device.
    private func learnNames() {
        guard !models.isEmpty else { return }
        node.conversations { [weak self] result in
            guard let self, case .success(let all) = result else { return }
            for conversation in all {
                guard let model = models[conversation.name] else { continue }
                let before = model.everybody
                for participant in conversation.participants { model.learn(participant) }
                guard model.everybody != before else { continue }
                for panel in panels(in: model.name) { panel.participantsChanged() }
                noticed(model.name)
            }
        }
    }

    private func conflict(_ session: SessionID, _ conversation: String) {
        guard let model = models[conversation] else { return }
        node.session(session) { [weak self] result in
            guard case .success(let detail) = result else { return }
            model.conflict(detail)
            guard let known = model.sessions[session] else { return }
            for panel in self?.panels(in: conversation) ?? [] { panel.conflictChanged(known) }
            self?.noticed(conversation)
        }
    }

    private func outOfTurn(
        _ session: SessionID?,
        _ participant: UUID,
        _ conversation: String
    ) {
        guard let session,
            let app = models[conversation]?.sessions[session]?.shown.content?.app
        else { return }
        for panel in panels(in: conversation) where panel.app.speaks == app {
            panel.outOfTurn(participant)
        }
    }

    private func conversationsChanged() {
        node.conversations { [weak self] result in
            guard let self, case .success(let all) = result else { return }
            let names = Set(all.map(\.name))
            for panel in self.orderedPanels where !names.contains(panel.conversation) {
                panel.close()
            }
            self.panels = self.panels.filter { names.contains($0.key.conversation) }
            self.models = self.models.filter { names.contains($0.key) }
            self.waitingForPicture = self.waitingForPicture.filter { names.contains($0.value) }
            self.startHeadless()
        }
    }

    /// Events were lost: what is shown now counts.
    private func reload() {
        for model in models.values.sorted(by: { $0.name < $1.name }) {
            let before = model.sessions.mapValues(\.shown.id)
            read(model.name) { [weak self] result in
                guard let self, case .success(let found) = result else { return }
                model.reload(found.0, found.1)
                self.readConflicts(of: model)
                for message in model.messages(where: { before[$0.session] != $0.id }) {
                    for panel in self.panels(in: model.name) { panel.shown(message) }
                }
                self.noticed(model.name)
            }
        }
    }

    // MARK: Reading

    /// What a message holds, once its picture is read.
    func contents(
        of message: Message,
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
        node.picture(of: message.id, session: message.session) { result in
            // What cannot be read is as good as not here.
            answer(made((try? result.get()) ?? nil))
        }
    }

    /// The transcript as people see it, oldest first.
    public func bubbles(
        of conversation: String,
        _ answer: @escaping @MainActor (Result<[Bubble], HostError>) -> Void
    ) {
        model(of: conversation) { [weak self] result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let model):
                self?.node.transcript(of: conversation) { result in
                    answer(
                        result.map { $0.map { Self.bubble($0, model) } }.mapError { HostError($0) }
                    )
                }
            }
        }
    }

    /// The same, awaited.
    public func bubbles(of conversation: String) async throws(HostError) -> [Bubble] {
        let result = await withCheckedContinuation { done in
            bubbles(of: conversation) { done.resume(returning: $0) }
        }
        return try result.get()
    }

    private static func bubble(_ entry: TranscriptEntry, _ model: ConversationModel) -> Bubble {
        switch entry {
        case .message(let message):
            Bubble(message, isMine: message.sender.id == model.me.id, names: model.names)
        case .summary(let summary):
            Bubble(summary, isMine: summary.sender.id == model.me.id, names: model.names)
        }
    }
}
