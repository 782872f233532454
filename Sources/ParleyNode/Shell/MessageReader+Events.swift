package import Foundation
package import ParleyCore
package import ParleyValues

/// The events for listeners that follow from the deliveries of a machine.
extension MessageReader {
    /// The events of a delivery about a session, except those that need an envelope.
    package func events(of delivery: Delivery) -> [NodeEvent] {
        switch delivery {
        case .conflict(let conflict):
            let name = machine.conversationName(conflict.conversation)
            let heads = conflict.heads.map(MessageID.init)
            return session(conflict.tag, in: conflict.conversation)
                .map { [.conflict(conversation: name, session: $0, heads: heads)] } ?? []
        case .outOfTurn(let number, let tag, let dot, let participant):
            let name = machine.conversationName(number)
            let session = session(tag, in: number)
            let author = participant.uuid
            return [.outOfTurn(conversation: name, session: session, MessageID(dot), by: author)]
        case .blobArrived(let number, let blob):
            let name = machine.conversationName(number)
            let tags = machine.conversation(number)?.sessions.tags(listing: blob) ?? []
            return tags.compactMap { session($0, in: number) }
                .map { .pictureArrived(conversation: name, session: $0) }
        case .signal(let notice):
            return [
                .signal(
                    conversation: machine.conversationName(notice.conversation),
                    session: SessionID(notice.signal.session),
                    SignalKind(notice.signal.kind),
                    by: notice.author.uuid
                )
            ]
        default: return []
        }
    }

    /// A signal of this device or a guest, for the machine.
    package func request(
        _ kind: SignalKind,
        about session: SessionID,
        in conversation: String,
        as guest: UUID? = nil
    ) throws(NodeError) -> NodeInput {
        let number = try readable(conversation).number
        let guest = guest.map { ParticipantID(Bytes16($0)) }
        let signal = Signal(kind.core, in: session.core)
        return .signalled(SignalRequest(conversation: number, guest: guest, signal))
    }

    /// The event for the summary that the message before a shown one leaves; nil if there is none.
    package func summarized(before shown: ShownMessage, in view: SessionView) -> NodeEvent? {
        view.line(before: shown.dot)
            .map { line in
                .summarized(
                    conversation: machine.conversationName(shown.conversation),
                    summary(line, inConversation: shown.conversation)
                )
            }
    }

    func view(of shown: ShownMessage) -> SessionView? {
        machine.conversations.view(shown.tag, in: shown.conversation)
    }

    /// The event for the shown message of a session; `view` has the envelopes.
    package func shown(_ view: SessionView) -> NodeEvent? {
        view.heads.first.map { head in
            .shown(
                conversation: machine.conversationName(view.conversation),
                message(head, in: view)
            )
        }
    }

    private func session(_ tag: SessionTag, in number: UInt32) -> SessionID? {
        machine.conversation(number)?.sessionUUID(tag).map { SessionID($0) }
    }
}

extension SignalKind {
    fileprivate init(_ kind: Signal.Kind) {
        self =
            switch kind {
            case .atBoard: .atBoard
            case .awayFromBoard: .awayFromBoard
            case .nudge: .nudge
            }
    }

    fileprivate var core: Signal.Kind {
        switch self {
        case .atBoard: .atBoard
        case .awayFromBoard: .awayFromBoard
        case .nudge: .nudge
        }
    }
}
