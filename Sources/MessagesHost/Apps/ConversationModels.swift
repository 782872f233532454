import ParleyNode

/// The models of all conversations in which apps are used.
///
/// The end of each conversation is read once, and then updated by events. Events that arrive during
/// a read are newer than the result, so the models apply them afterwards.
@MainActor
final class ConversationModels {
    typealias Answer = @MainActor (Result<ConversationModel, HostError>) -> Void

    /// Called with the events that were kept while a conversation was being read.
    var observer: (@MainActor (NodeEvent) -> Void)?
    /// Called with a conversation for which too many events came to keep; it must be read again.
    var fellBehind: (@MainActor (ConversationModel) -> Void)?

    /// Called with a conversation and the messages in it whose stickers have changed.
    var stickerObserver: (@MainActor (String, Set<MessageID>) -> Void)?

    /// Called with a conversation, and a session in it that has changed.
    var sessionObserver: (@MainActor (ConversationModel, SessionID) -> Void)?
    /// Called with a conversation that was read, or read again.
    var readObserver: (@MainActor (ConversationModel) -> Void)?

    /// Tells whether this device has the turn after a message.
    var isMyTurn: @MainActor (Message, ConversationModel) -> Bool = { _, _ in false }

    /// The rules of the apps.
    private let rules: AppRules
    /// The most events that are kept while a conversation is being read.
    private static let eventsMax = 16_384

    private let node: any HostNode
    private var models: [String: ConversationModel] = [:]
    private var loading: [String: [Answer]] = [:]
    private var readings: [String: Reading] = [:]

    /// The reads of a conversation that are under way, and the events that came meanwhile.
    private struct Reading {
        var count = 0
        var events: [NodeEvent] = []
        var isIncomplete = false
    }

    init(_ node: any HostNode, rules: AppRules) {
        self.node = node
        self.rules = rules
    }

    // MARK: Models

    subscript(conversation: String) -> ConversationModel? { models[conversation] }

    /// All models, sorted by name.
    var all: [ConversationModel] { models.values.sorted { $0.name < $1.name } }

    /// Forgets all conversations but these.
    func keep(_ names: Set<String>) {
        models = models.filter { names.contains($0.key) }
    }

    // MARK: Reading

    /// The model of a conversation, which is read on first use.
    func model(of conversation: String, _ answer: @escaping Answer) {
        if let model = models[conversation] { return answer(.success(model)) }
        loading[conversation, default: []].append(answer)
        guard loading[conversation]?.count == 1 else { return }
        read(conversation) { [weak self] result in
            guard let self else { return [] }
            let made = result.map { [node] in
                ConversationModel(
                    $0.0,
                    $0.1,
                    rules: rules,
                    now: { node.now },
                    isMyTurn: isMyTurn
                )
            }
            if case .success(let model) = made {
                models[conversation] = model
                model.stickerObserver = { [weak self] in self?.stickerObserver?(conversation, $0) }
                model.sessionObserver = { [weak self, weak model] session in
                    if let model { self?.sessionObserver?(model, session) }
                }
                mark(model)
                readObserver?(model)
                readConflicts(of: model)
            }
            let answers = loading.removeValue(forKey: conversation) ?? []
            return answers.map { answer in { answer(made) } }
        }
    }

    /// Reads a conversation again after events were lost.
    ///
    /// - Parameters:
    ///   - model: The conversation.
    ///   - changed: Called with the messages that were not shown before, in their order on screens.
    func reload(_ model: ConversationModel, _ changed: @escaping @MainActor ([Message]) -> Void) {
        let before = model.sessions.mapValues(\.shown.id)
        read(model.name) { [weak self] result in
            guard case .success(let found) = result else { return [] }
            model.reload(found.0, found.1)
            self?.readObserver?(model)
            let fresh = model.messages { before[$0.session] != $0.id }
            // Events during the read may have replaced some messages already.
            return [{ changed(fresh.filter { model.sessions[$0.session]?.shown.id == $0.id }) }]
        }
    }

    /// Keeps an event if its conversation is being read; returns whether it did.
    func keeps(_ event: NodeEvent) -> Bool {
        guard let conversation = event.conversation,
            let count = readings[conversation]?.events.count
        else { return false }
        if count < Self.eventsMax {
            readings[conversation]?.events.append(event)
        } else {
            readings[conversation]?.isIncomplete = true
        }
        return true
    }

    /// Reads a conversation.
    ///
    /// `done` applies the result, and returns actions that run after the events that came meanwhile
    /// have been applied as well.
    private func read(
        _ conversation: String,
        _ done:
            @escaping @MainActor (
                Result<(Conversation, TranscriptPage), HostError>
            ) -> [@MainActor () -> Void]
    ) {
        readings[conversation, default: Reading()].count += 1
        find(conversation) { [weak self] result in
            let rest = done(result)
            self?.ended(conversation)
            for action in rest { action() }
        }
    }

    private func find(
        _ conversation: String,
        _ answer:
            @escaping @MainActor (
                Result<(Conversation, TranscriptPage), HostError>
            ) -> Void
    ) {
        node.conversations { [weak self] result in
            switch result {
            case .failure(let error): answer(.failure(HostError(error)))
            case .success(let all):
                guard let found = all.first(where: { $0.name == conversation }) else {
                    return answer(.failure(.node(.unknownConversation(conversation))))
                }
                self?.readEnd(of: conversation) { result in
                    answer(result.map { (found, $0) }.mapError { HostError($0) })
                }
            }
        }
    }

    /// Reads as many entries as sessions are remembered, from the end towards the start.
    private func readEnd(
        of conversation: String,
        before later: TranscriptPage? = nil,
        _ answer: @escaping @MainActor (Result<TranscriptPage, NodeError>) -> Void
    ) {
        let place = later?.next.map { TranscriptPlace.before($0) } ?? .end
        node.transcript(of: conversation, at: place, limit: TranscriptPage.entriesMax) {
            [weak self] result in
            guard case .success(let page) = result else { return answer(result) }
            let all = TranscriptPage(
                entries: page.entries + (later?.entries ?? []),
                next: page.next,
                // A change since the first read is told by an event.
                position: later?.position ?? page.position
            )
            guard let self, all.next != nil,
                all.entries.count < ConversationModel.sessionsMax
            else { return answer(.success(all)) }
            readEnd(of: conversation, before: all, answer)
        }
    }

    private func ended(_ conversation: String) {
        readings[conversation]?.count -= 1
        guard let reading = readings[conversation], reading.count == 0 else { return }
        readings[conversation] = nil
        for event in reading.events { observer?(event) }
        if reading.isIncomplete, let model = models[conversation] { fellBehind?(model) }
    }

    /// Reads what a transcript does not contain: the other heads of conflicts, and the last message
    /// within the rules of a game that shows another.
    private func readConflicts(of model: ConversationModel) {
        for message in model.messages(where: { $0.fault != nil }) {
            node.session(message.session, in: model.name) { result in
                guard case .success(let detail) = result, let legal = detail.match?.legal else {
                    return
                }
                model.note([detail.shown], against: legal)
            }
        }
        for message in model.messages(where: \.isConflict) {
            node.session(message.session, in: model.name) { result in
                if case .success(let detail) = result { model.conflict(detail) }
            }
        }
    }

    // MARK: Taking part

    /// Lets the others know that this device takes part, by a mark.
    private func mark(_ model: ConversationModel) {
        guard model.isUnheard else { return }
        let session = SessionMapping.mark(of: model.me.id)
        node.session(session, in: model.name) { [weak self] result in
            guard case .failure(.unknownSession) = result else { return }
            var draft = Draft(session: session, content: MessageContent())
            draft.isEnd = true
            // A failure is ignored: the first message of this device has the same effect.
            self?.node.send(draft, to: model.name) { _ in }
        }
    }
}

extension NodeEvent {
    /// The name of the conversation that the event is about; nil for events of the node.
    var conversation: String? {
        switch self {
        case .shown(let conversation, _), .summarized(let conversation, _),
            .conflict(let conversation, _, _), .outOfTurn(let conversation, _, _, _),
            .pictureArrived(let conversation, _), .delivered(let conversation, _, _, _),
            .signal(let conversation, _, _, _):
            conversation
        case .conversationsChanged, .peerChanged, .duplicateIdentity, .pairing, .file: nil
        }
    }
}
