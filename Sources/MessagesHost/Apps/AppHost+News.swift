import Foundation
import ParleyNode

/// Passes events of the node on to the panels.
extension AppHost {
    func take(_ event: HostNodeEvent) {
        defer { eventObserver?(event) }
        switch event {
        case .happened(let event):
            if let conversation = event.conversation { recent.changed(conversation) }
            if !models.keeps(event) { take(event) }
        case .lostEvents:
            recent.allChanged()
            for model in models.all { reload(model) }
        case .ended: hasEnded = true
        }
    }

    func take(_ event: NodeEvent) {
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
        case .signal(let conversation, let session, let kind, let participant):
            matches.heard(kind, by: participant, in: session, of: conversation)
        case .conversationsChanged: conversationsChanged()
        case .peerChanged(_, isConnected: true): learnNames()
        case .peerChanged, .duplicateIdentity, .pairing, .file: break
        }
    }

    private func shown(_ message: Message, _ conversation: String) {
        keepForLater(message, in: conversation)
        guard let model = models[conversation] else {
            if let addition = message.content?.addition {
                matches.wake(conversation, by: addition)
            } else if message.content?.match != nil {
                matches.wake(conversation, by: message)
            }
            return
        }
        if model.learn(message.sender) {
            for panel in panels(in: conversation) { panel.participantsChanged() }
        }
        defer { noticed(conversation) }
        guard !message.isMark, model.shown(message) else { return }
        guard message.picture?.isHere ?? true else {
            waitForPicture(of: message, in: conversation)
            return
        }
        hasPicture(of: message, in: conversation)
        for panel in panels(in: conversation) { panel.shown(message) }
    }

    private func pictureArrived(_ session: SessionID, _ conversation: String) {
        models[conversation]?.pictureArrived(session)
        noticed(conversation)
        let key = PlacedSession(session: session, conversation: conversation)
        guard waitingForPicture.remove(key) != nil, let model = models[conversation] else {
            return
        }
        with(session, of: model) { [weak self] shown in
            for panel in self?.panels(in: conversation) ?? [] {
                panel.shown(shown)
                // A panel whose app has a match was told nothing while the picture was missing.
                panel.matchChanged(session)
            }
        }
    }

    /// Delays telling the app of the message until its picture has arrived.
    func waitForPicture(of message: Message, in conversation: String) {
        guard let picture = message.picture, !picture.isHere else { return }
        waitingForPicture.insert(
            PlacedSession(session: message.session, conversation: conversation)
        )
        arrivalsChanged()
    }

    func hasPicture(of message: Message, in conversation: String) {
        let session = PlacedSession(session: message.session, conversation: conversation)
        if waitingForPicture.remove(session) != nil { arrivalsChanged() }
    }

    /// Reads the participants again: a peer that has connected has told the name of its device.
    private func learnNames() {
        guard !models.all.isEmpty else { return }
        node.conversations { [weak self] result in
            guard let self, case .success(let all) = result else { return }
            for conversation in all {
                guard let model = models[conversation.name] else { continue }
                let before = model.everybody
                for participant in conversation.participants { model.learn(participant) }
                guard model.everybody != before else { continue }
                for panel in panels(in: model.name) { panel.participantsChanged() }
                recent.changed(model.name)
                noticed(model.name)
            }
        }
    }

    private func conflict(_ session: SessionID, _ conversation: String) {
        guard let model = models[conversation] else { return }
        node.session(session, in: conversation) { [weak self] result in
            guard case .success(let detail) = result else { return }
            self?.read(detail, model)
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
        guard let session, let model = models[conversation] else { return }
        with(session, of: model) { [weak self] shown in
            for panel in self?.panels(in: conversation) ?? []
            where panel.app.speaks == shown.content?.app {
                panel.outOfTurn(participant)
            }
        }
    }

    private func conversationsChanged() {
        node.conversations { [weak self] result in
            guard let self, case .success(let all) = result else { return }
            // Another conversation may have the name of a conversation that was left.
            let same = all.filter { (models[$0.name]?.conversation.id ?? $0.id) == $0.id }
            let names = Set(same.map(\.name))
            keepPanels(in: names)
            models.keep(names)
            waitingForPicture = waitingForPicture.filter { names.contains($0.conversation) }
            startHeadless()
        }
    }

    /// Finds a head of a conversation by its ID; nil if there is none.
    ///
    /// People may see messages that are newer than the events of the node, or older than the
    /// sessions in memory. So a session is read from the node if the model lacks the message.
    func head(
        _ id: MessageID,
        of model: ConversationModel,
        _ answer: @escaping @MainActor (Message?) -> Void
    ) {
        if let head = model.head(id) { return answer(head) }
        node.session(of: id, in: model.name) { [weak self] result in
            if case .success(let detail) = result { self?.read(detail, model) }
            answer(model.head(id))
        }
    }

    /// Calls `use` with the shown message of a session, which is read unless it is remembered.
    func with(
        _ session: SessionID,
        of model: ConversationModel,
        _ use: @escaping @MainActor (Message) -> Void
    ) {
        if let known = model.sessions[session] { return use(known.shown) }
        node.session(session, in: model.name) { [weak self] result in
            guard case .success(let detail) = result else { return }
            self?.read(detail, model)
            if let known = model.sessions[session] { use(known.shown) }
        }
    }

    /// Handles a session that was read, perhaps ahead of its events.
    ///
    /// The panels are told of the other heads by the event of the conflict.
    private func read(_ detail: SessionDetail, _ model: ConversationModel) {
        if model.isOld(detail) {
            model.remember(detail)
        } else {
            shown(detail.shown, model.name)
        }
        model.conflict(detail)
    }

    /// Reads a conversation again after events were lost, and tells the panels about the changes.
    func reload(_ model: ConversationModel) {
        models.reload(model) { [weak self] changed in
            guard let self else { return }
            for message in model.messages(where: \.isConflict) {
                conflict(message.session, model.name)
            }
            for message in changed {
                for panel in panels(in: model.name) { panel.shown(message) }
            }
            noticed(model.name)
        }
    }
}

/// A session in one conversation; apps may use the same UUID in several conversations.
struct PlacedSession: Hashable {
    let session: SessionID
    let conversation: String
}
