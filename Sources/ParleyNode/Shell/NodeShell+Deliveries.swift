import CoreMetrics
import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

extension NodeShell {
    /// Passes on the deliveries of a step, in their order.
    func deliver(_ deliveries: [Delivery]) {
        guard !deliveries.isEmpty else { return }
        followers.gather()
        for delivery in deliveries { deliver(delivery) }
        followers.emitGathered()
    }

    /// Passes a delivery of the machine to waiting requests, listeners, the log and the counters.
    private func deliver(_ delivery: Delivery) {
        switch delivery {
        case .answer(let request, let answer):
            if case .stored = answer { metrics.count(.sent) }
            requests.answered(request, answer)
        case .delivered(let request, let nodes):
            requests.delivered(request, nodes: nodes)
            if let event = requests.event(request, nodes: nodes) { followers.emit(event) }
        case .shown(let shown): emitShown(shown)
        case .conflict(let conflict): emitConflict(conflict)
        case .outOfTurn(let number, let tag, let dot, let participant):
            emitOutOfTurn(number, tag, dot, participant)
        case .equivocation(let number, _, let dot):
            log.note("equivocation", dot.description, isByStranger: isOpen(number))
        case .full(let number, let shortage):
            log.note("conversation full", shortage.sentence(in: machine.conversationName(number)))
        case .headDropped(let number, _, let dot):
            log.note("too many heads", "\(dot) was dropped", isByStranger: isOpen(number))
        case .blobArrived(let number, let blob): emitPicture(number, blob)
        case .blobDamaged(_, let blob, let chunks):
            metrics.count(.damage)
            log.pictureDamaged(blob, chunks: chunks)
        case .link(let notice): emitLink(notice)
        case .pairing(let notice): emitPairing(notice)
        case .refused(_, let device, let address, let refusal):
            metrics.refused(refusal)
            log.refused(logged(device), address, refusal)
        case .duplicateIdentity(let device, let address):
            symptoms.duplicate(at: address, isOwn: device == key.id)
            if device == key.id { metrics.count(.copies) }
            log.duplicateIdentity(logged(device), address)
            followers.emit(.duplicateIdentity(device: device.text, address: address))
        case .divergence(_, let device, let buckets):
            metrics.count(.divergences)
            log.divergence(logged(device), buckets: buckets)
        case .damaged(let row, let what):
            metrics.count(.damage)
            log.note("damaged session", "row \(row): \(what)", of: .store)
        }
    }

    private func logged(_ device: DeviceID) -> LoggedPeer {
        LoggedPeer(device, name: printableName(of: device))
    }

    /// Whether everybody may join a conversation.
    private func isOpen(_ number: UInt32) -> Bool {
        machine.conversation(number)?.record.isOpen ?? true
    }

    private func emitLink(_ notice: LinkNotice) {
        if case .joined(let number) = notice.change, !isOpen(number) { log.knows(notice.device) }
        log.link(
            notice,
            name: printableName(of: notice.device),
            conversation: machine.conversationName
        )
        acquaintances.note(
            notice.change,
            of: notice.device,
            at: notice.address,
            Self.now,
            isOpen: isOpen
        )
        switch notice.change {
        case .greeted: links.progressed(notice.link)
        case .suspected, .full: break
        case .joined:
            links.proved(notice.link)
            followers.emit(.peerChanged(device: notice.device.text, isConnected: true))
        case .closed:
            metrics.count(.linksClosed)
            followers.emit(.peerChanged(device: notice.device.text, isConnected: false))
        }
    }

    private func emitShown(_ shown: ShownMessage) {
        metrics.count(.shown)
        guard !followers.isEmpty,
            let view = machine.conversations.view(shown.tag, in: shown.conversation)
        else { return }
        let name = machine.conversationName(shown.conversation)
        let reader = reader
        if let line = view.line(before: shown.dot) {
            let summary = reader.summary(line, inConversation: shown.conversation)
            followers.emit(.summarized(conversation: name, summary))
        }
        // If another message is shown by now, it has its own delivery, once on disk.
        guard view.heads.first?.dot == shown.dot else { return }
        guard view.heads.contains(where: { $0.envelope == nil }) else {
            return emitShown(view, name, reader)
        }
        store?.heads(ofRow: view.row) { [weak self] result in
            self?.assumeIsolated { shell in
                guard let heads = shell.log.readable(result), shell.shows(shown.dot, of: view)
                else { return }
                shell.emitShown(view.filled(from: heads), name, shell.reader)
            }
        }
    }

    private func shows(_ dot: Dot, of view: SessionView) -> Bool {
        machine.conversations.view(view.tag, in: view.conversation)?.heads.first?.dot == dot
    }

    private func emitShown(_ view: SessionView, _ conversation: String, _ reader: MessageReader) {
        guard let message = reader.messages(of: view).first else { return }
        let (date, sender) = (message.sentAt, message.sender)
        if sender.device != key.id.text,
            let ahead = symptoms.shown(sentAt: date, by: sender, at: Date())
        {
            log.note("clock", ahead.sentence)
        }
        followers.emit(.shown(conversation: conversation, message))
    }

    private func emitConflict(_ conflict: SessionConflict) {
        if conflict.heads.count > 1 { metrics.count(.conflicts) }
        guard let session = sessionID(conflict.tag, in: conflict.conversation) else { return }
        followers.emit(
            .conflict(
                conversation: machine.conversationName(conflict.conversation),
                session: session,
                heads: conflict.heads.map(MessageID.init)
            )
        )
    }

    private func emitOutOfTurn(
        _ number: UInt32,
        _ tag: SessionTag,
        _ dot: Dot,
        _ participant: ParticipantID
    ) {
        log.note("out of turn", dot.description, isByStranger: isOpen(number))
        followers.emit(
            .outOfTurn(
                conversation: machine.conversationName(number),
                session: sessionID(tag, in: number),
                MessageID(dot),
                by: participant.uuid
            )
        )
    }

    private func emitPicture(_ number: UInt32, _ blob: BlobID) {
        guard !followers.isEmpty else { return }
        let name = machine.conversationName(number)
        for session in machine.conversation(number)?.sessions(listing: blob) ?? [] {
            guard let id = sessionID(session, in: number) else { continue }
            followers.emit(.pictureArrived(conversation: name, session: id))
        }
    }

    private func sessionID(_ tag: SessionTag, in number: UInt32) -> SessionID? {
        machine.conversation(number)?.sessionUUID(tag).map { SessionID($0) }
    }
}
