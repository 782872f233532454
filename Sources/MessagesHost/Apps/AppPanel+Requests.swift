import Foundation
import Messages
import ParleyNode

/// Carries out the requests that an app makes of its conversation.
extension AppPanel {
    func take(_ request: ConversationPort.Request, isVisible: Bool) {
        do throws(HostError) {
            try check(SendKind(request.item, isDirect: request.isDirect), isVisible: isVisible)
            switch request.item {
            case .message(let contents, let status):
                try take(contents, status, request)
            case .text(let text):
                let draft = try OutgoingMessage.draft(text: text)
                guard request.isDirect else {
                    field.text += field.text.isEmpty ? text : "\n" + text
                    return staged(request)
                }
                send(draft, request)
            case .sticker(let file):
                try take(try OutgoingMessage.draft(sticker: file, app: app.speaks), request)
            case .attachment(let url, let name):
                let draft = try OutgoingMessage.draft(
                    attachment: url,
                    name: name,
                    app: app.speaks,
                    isAmongStickers: machine.context == .media
                )
                try take(draft, request)
            }
        } catch {
            if case .message(_, let status) = request.item { status.failed(error.appError) }
            request.completion.fail(error.failure)
        }
    }

    func check(_ kind: SendKind, isVisible: Bool) throws(HostError) {
        switch gate.ask(kind, isVisible: isVisible) {
        case nil: return
        case .notVisible?:
            throw .refused(.sendWhileNotVisible, "The app is not visible.")
        case .withoutInteraction?:
            throw .refused(
                .sendWithoutRecentInteraction,
                "Nobody has touched the app since it was opened or last sent."
            )
        case .unavailableInContext?:
            throw .refused(
                .apiUnavailableInPresentationContext,
                "This is not possible in the media context."
            )
        }
    }

    // MARK: Messages

    private func take(
        _ contents: MessageContents,
        _ status: MessageStatus,
        _ request: ConversationPort.Request
    ) throws(HostError) {
        if contents.shouldExpire { host.setsShouldExpire(app) }
        var draft = try OutgoingMessage.draft(contents, app: app.speaks)
        try checkTurn(in: draft.session)
        let notes = notes[ObjectIdentifier(status)]
        draft.content.match = try match(of: draft.session, notes)
        try model.goOn(with: &draft)
        let known = handedOver(contents, status)
        let turns = app.turnsAreBinding ? app.turns : nil
        let next =
            draft.content.match?.next ?? notes?.next
            ?? turns?(known.message, model.me.id, model.remotes) ?? []
        // `whoeverComes` may be anybody, so nobody is named.
        draft.next = next.filter { $0 != HostedConversation.whoeverComes }
        known.draft = draft
        known.delivery = .pending
        guard request.isDirect else {
            status.staged(by: model.me.id)
            handle(.staged(known.key))
            staged(request)
            if isHeadless { handle(.sendTapped) }
            return
        }
        gate.sent()
        send(known) { [weak self] result in
            switch result {
            case .success:
                self?.handle(.sent(known.key))
                request.completion.succeed()
            case .failure(let error): request.completion.fail(error.failure)
            }
        }
    }

    private func handedOver(_ contents: MessageContents, _ status: MessageStatus) -> KnownMessage {
        guard let before = known[status] else {
            return known.add(contents, status, keeping: keptKeys)
        }
        before.handedOver(contents)
        return before
    }

    /// Refuses a message out of turn before it is staged, as the node would refuse it later.
    private func checkTurn(in session: SessionID) throws(HostError) {
        guard let shown = model.sessions[session]?.shown, !shown.next.isEmpty,
            !shown.next.contains(model.me.id)
        else { return }
        throw .notYourTurn(next: shown.next)
    }

    /// Sends the staged message after a person pressed Send.
    func submit(_ key: MessageKey) {
        guard let known = known[key] else { return }
        send(known) { [weak self] result in
            if case .success = result {
                self?.handle(.sent(key))
            } else {
                self?.handle(.refused(key))
            }
            self?.answer(key, result)
        }
    }

    private func send(
        _ known: KnownMessage,
        _ done: @escaping @MainActor (Result<Void, HostError>) -> Void
    ) {
        guard let draft = known.draft else { return done(.failure(.nothingThere)) }
        known.status.failed(nil)
        underWay.insert(known.key)
        guard draft.content.match?.mayUndo ?? false,
            let before = model.sessions[draft.session]?.shown
        else { return send(known, draft, done) }
        host.matches.copy(before, in: conversation) { [weak self] copy in
            self?.send(known, draft) { [weak self] result in
                if case .success = result, let self, let own = known.id {
                    host.matches.keepForUndo(copy, after: own, in: conversation)
                }
                done(result)
            }
        }
    }

    private func send(
        _ known: KnownMessage,
        _ draft: Draft,
        _ done: @escaping @MainActor (Result<Void, HostError>) -> Void
    ) {
        host.send(draft, to: conversation) { [weak self] result in
            switch result {
            case .success(let sent):
                known.id = sent.id
                self?.notes[ObjectIdentifier(known.status)] = nil
                done(.success(()))
                self?.delivery(of: known, is: .stored(nodes: sent.nodes))
            case .failure(let error):
                let error = HostError(error)
                known.status.failed(error.appError)
                self?.underWay.remove(known.key)
                done(.failure(error))
                self?.delivery(of: known, is: .failed(error))
            }
        }
    }

    /// Records a new delivery state, and tells the app if it conforms to `ParleyApp`.
    func delivery(of known: KnownMessage, is state: DeliveryState) {
        // A later event may have reported more nodes already.
        if case .stored(let nodes) = state, case .stored(let before) = known.delivery,
            before > nodes
        {
            return
        }
        known.delivery = state
        tell { $0.deliveryDidChange(of: known.message, to: state, conversation: $1) }
        changed()
    }

    // MARK: Text, stickers and attachments

    private func take(
        _ draft: Draft,
        _ request: ConversationPort.Request
    ) throws(HostError) {
        guard !request.isDirect, !isHeadless else { return send(draft, request) }
        guard field.items.count < InputField.itemsMax else {
            throw .refused(.unknown, "The input field is full.")
        }
        field.items.append(draft)
        staged(request)
    }

    private func staged(_ request: ConversationPort.Request) {
        request.completion.succeed()
        changed()
    }

    private func send(_ draft: Draft, _ request: ConversationPort.Request) {
        gate.sent()
        host.send(draft, to: conversation) { result in
            switch result {
            case .success: request.completion.succeed()
            case .failure(let error): request.completion.fail(HostError(error).failure)
            }
        }
    }
}

extension HostError {
    /// Turns an error of the node into an error of the host.
    init(_ error: NodeError) {
        if case .notYourTurn(let next) = error {
            self = .notYourTurn(next: next)
        } else {
            self = .node(error)
        }
    }
}

extension SendKind {
    fileprivate init(_ item: ConversationItem, isDirect: Bool) {
        self =
            switch item {
            case .message: isDirect ? .sendMessage : .insertMessage
            case .sticker: isDirect ? .sendSticker : .insertSticker
            case .text: isDirect ? .sendText : .insertText
            case .attachment: isDirect ? .sendAttachment : .insertAttachment
            }
    }
}
