import ParleyNode

/// What a host keeps of the conversations in which apps are used: read once, then told.
///
/// What the node tells of a conversation while it is being read is newer than what is read, so it
/// is kept until then.
@MainActor
final class ConversationModels {
    typealias Answer = @MainActor (Result<ConversationModel, HostError>) -> Void

    /// Told of what was kept while a conversation was being read.
    var observer: (@MainActor (NodeEvent) -> Void)?
    /// Told of a conversation of which more was told meanwhile than is kept: it is to be read anew.
    var fellBehind: (@MainActor (ConversationModel) -> Void)?

    /// Events kept while a conversation is being read.
    private static let toldMax = 16_384

    private let node: any HostNode
    private var models: [String: ConversationModel] = [:]
    private var loading: [String: [Answer]] = [:]
    private var readings: [String: Reading] = [:]

    /// A conversation that is being read, perhaps more than once at a time.
    private struct Reading {
        var count = 0
        var told: [NodeEvent] = []
        var isIncomplete = false
    }

    init(_ node: any HostNode) {
        self.node = node
    }

    // MARK: What is here

    subscript(conversation: String) -> ConversationModel? { models[conversation] }

    /// By name.
    var all: [ConversationModel] { models.values.sorted { $0.name < $1.name } }

    /// Forgets all other conversations.
    func keep(_ names: Set<String>) {
        models = models.filter { names.contains($0.key) }
    }

    // MARK: Reading

    /// What is known of a conversation, read once.
    func model(of conversation: String, _ answer: @escaping Answer) {
        if let model = models[conversation] { return answer(.success(model)) }
        loading[conversation, default: []].append(answer)
        guard loading[conversation]?.count == 1 else { return }
        read(conversation) { [weak self] result in
            guard let self else { return [] }
            let made = result.map { ConversationModel($0.0, $0.1) }
            if case .success(let model) = made {
                models[conversation] = model
                mark(model)
                readConflicts(of: model)
            }
            let answers = loading.removeValue(forKey: conversation) ?? []
            return answers.map { answer in { answer(made) } }
        }
    }

    /// Reads a conversation anew, as the node told of things that were not heard.
    ///
    /// - Parameters:
    ///   - model: The conversation.
    ///   - changed: Told of the messages that are shown now and were not before, in the order in
    ///     which people see them.
    func reload(_ model: ConversationModel, _ changed: @escaping @MainActor ([Message]) -> Void) {
        let before = model.sessions.mapValues(\.shown.id)
        read(model.name) { result in
            guard case .success(let found) = result else { return [] }
            model.reload(found.0, found.1)
            let fresh = model.messages { before[$0.session] != $0.id }
            // What was told meanwhile may have replaced some, and was heard.
            return [{ changed(fresh.filter { model.sessions[$0.session]?.shown.id == $0.id }) }]
        }
    }

    /// Keeps an event of a conversation that is being read; tells whether it did.
    func keeps(_ event: NodeEvent) -> Bool {
        guard let conversation = event.conversation, let count = readings[conversation]?.told.count
        else { return false }
        if count < Self.toldMax {
            readings[conversation]?.told.append(event)
        } else {
            readings[conversation]?.isIncomplete = true
        }
        return true
    }

    /// Reads a conversation; `done` takes it in and gives what is to be done once what the node
    /// told meanwhile is taken in as well.
    private func read(
        _ conversation: String,
        _ done:
            @escaping @MainActor (
                Result<(Conversation, [TranscriptEntry]), HostError>
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
                Result<(Conversation, [TranscriptEntry]), HostError>
            ) -> Void
    ) {
        node.conversations { [node] result in
            switch result {
            case .failure(let error): answer(.failure(HostError(error)))
            case .success(let all):
                guard let found = all.first(where: { $0.name == conversation }) else {
                    return answer(.failure(.node(.unknownConversation(conversation))))
                }
                node.transcript(of: conversation) { result in
                    answer(result.map { (found, $0) }.mapError { HostError($0) })
                }
            }
        }
    }

    private func ended(_ conversation: String) {
        readings[conversation]?.count -= 1
        guard let reading = readings[conversation], reading.count == 0 else { return }
        readings[conversation] = nil
        for event in reading.told where !isOld(event) { observer?(event) }
        if reading.isIncomplete, let model = models[conversation] { fellBehind?(model) }
    }

    /// Whether what was read has something newer already.
    private func isOld(_ event: NodeEvent) -> Bool {
        guard case .shown(let conversation, let message) = event,
            let known = models[conversation]?.sessions[message.session]
        else { return false }
        return message.revision < known.shown.revision
    }

    /// A transcript does not have the other heads of a conflict.
    private func readConflicts(of model: ConversationModel) {
        for message in model.messages(where: \.isConflict) {
            node.session(message.session, in: model.name) { result in
                if case .success(let detail) = result { model.conflict(detail) }
            }
        }
    }

    // MARK: Taking part

    /// Lets the others know that this device takes part, before it has said anything: a session
    /// that begins with its end, of which nobody sees anything.
    private func mark(_ model: ConversationModel) {
        guard model.isUnheard else { return }
        let session = SessionMapping.mark(of: model.me.id)
        node.session(session, in: model.name) { [weak self] result in
            guard case .failure(.unknownSession) = result else { return }
            var draft = Draft(session: session, content: MessageContent())
            draft.isEnd = true
            // Who cannot write now is known as soon as it writes something.
            self?.node.send(draft, to: model.name) { _ in }
        }
    }
}

extension NodeEvent {
    /// The conversation that it is about; nil for the node itself.
    fileprivate var conversation: String? {
        switch self {
        case .shown(let conversation, _), .summarized(let conversation, _),
            .conflict(let conversation, _, _), .outOfTurn(let conversation, _, _, _),
            .pictureArrived(let conversation, _), .delivered(let conversation, _, _, _):
            conversation
        case .conversationsChanged, .peerChanged, .duplicateIdentity: nil
        }
    }
}
