import Foundation
import Messages
import ParleyNode

/// Tells an app of events of the node.
extension AppPanel {
    /// Handles a message that is shown now.
    func shown(_ message: Message) {
        guard message.content?.app == app.speaks else { return }
        guard message.sender.id != model.me.id else { return changed() }
        guard isOpen else { return host.missed(message.session, by: app, in: conversation) }
        receive(message)
    }

    /// Tells the app of the latest message of each session that changed while the app was closed.
    func replayMissed(except selected: SessionID?) {
        var sessions = host.takeMissed(by: app, in: conversation)
        guard isOpen, isHeadless || host.settings.replaysArrivals else { return }
        if isHeadless, sessions.isEmpty {
            // A headless app that was just started gets every session that the host remembers.
            sessions = model.messages(of: app.speaks).map(\.session)
        }
        for session in sessions where session != selected {
            host.with(session, of: model) { [weak self] shown in
                guard let self, isOpen, shown.sender.id != model.me.id,
                    shown.content?.app == app.speaks
                else { return }
                receive(shown)
            }
            if isHeadless { matchChanged(session) }
        }
    }

    private func receive(_ message: Message) {
        guard !message.isEnd else { return }
        guard receiving[message.id] == nil else {
            receiving[message.id] = true
            return
        }
        receiving[message.id] = false
        host.waitForPicture(of: message, in: conversation)
        known(message) { [weak self] result in
            guard let self else { return }
            let cameMeanwhile = receiving.removeValue(forKey: message.id) ?? false
            // Another message may have become the shown one during the read.
            guard isOpen, model.sessions[message.session]?.shown.id == message.id else { return }
            switch result {
            case .success(let known):
                host.hasPicture(of: message, in: conversation)
                handle(.received(known.key))
            // The message is received again when its picture arrives.
            case .failure(.pictureMissing): if cameMeanwhile { receive(message) }
            case .failure(let fault):
                let sender = message.sender.id
                tell { $0.didReceiveFaultyMessage(fault, from: sender, conversation: $1) }
            }
        }
    }

    /// Makes the message object for the app, once the picture is read.
    func known(
        _ message: Message,
        _ done: @escaping @MainActor (Result<KnownMessage, MessageFault>) -> Void
    ) {
        if let known = known[message.id] {
            known.renew()
            return done(.success(known))
        }
        host.contents(of: message, in: conversation) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let contents):
                let known = self.known[message.id] ?? self.adopt(message, contents)
                done(.success(known))
            case .failure(let fault): done(.failure(fault))
            }
        }
    }

    private func adopt(_ message: Message, _ contents: MessageContents) -> KnownMessage {
        let status = MessageStatus(.init(isPending: false, sender: message.sender.id))
        let known = known.add(contents, status, keeping: keptKeys)
        known.id = message.id
        known.delivery = .stored(nodes: 0)
        return known
    }

    // MARK: More than Apple tells

    /// Notes that further nodes have stored a message.
    func delivered(_ id: MessageID, nodes: Int) {
        guard nodes > 0, let known = known[id] else { return }
        delivery(of: known, is: .stored(nodes: nodes))
    }

    /// Handles a change of the heads of a session.
    func conflictChanged(_ session: ConversationModel.Session) {
        guard session.shown.content?.app == app.speaks, running?.controller is any ParleyApp
        else { return }
        known(session.shown) { [weak self] result in
            guard case .success(let shown) = result else { return }
            self?.gather(session.others[...], []) { others in
                let others = others.map(\.message)
                self?.tell {
                    $0.conflictDidChange(shown: shown.message, others: others, conversation: $1)
                }
            }
        }
    }

    /// Makes the message objects for the app, and leaves out messages that cannot be given to it.
    private func gather(
        _ rest: ArraySlice<Message>,
        _ found: [KnownMessage],
        _ done: @escaping @MainActor ([KnownMessage]) -> Void
    ) {
        guard let next = rest.first else { return done(found) }
        known(next) { [weak self] result in
            let found = (try? result.get()).map { found + [$0] } ?? found
            self?.gather(rest.dropFirst(), found, done)
        }
    }

    func outOfTurn(_ participant: UUID) {
        tell { $0.didReceiveOutOfTurn(from: participant, conversation: $1) }
    }

    /// Handles a change of the participants.
    func participantsChanged() {
        running?.conversation.participantsChanged()
        bubbles.removeAll { $0.bubble == nil }
        for entry in bubbles { entry.bubble?.participantsChanged() }
    }
}
