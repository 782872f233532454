import Dispatch
import Foundation
import ParleyCore
import ParleyLoop

extension NodeShell {
    func send(
        _ draft: Draft,
        to name: String,
        as guest: UUID? = nil,
        wait: SendWait
    ) async throws(NodeError) -> SentMessage {
        let conversation = try machine.conversation(named: name)
        guard conversation.role == .writer else {
            throw .readOnly(conversation: name, isRelay: settings.isRelay)
        }
        if guest != nil { try checkGuestsShare(of: draft, in: conversation) }
        let request = try authorRequest(draft, in: conversation, as: guest, wait: wait)
        let answer = await withCheckedContinuation { done in
            requests.await(request.request, done)
            author(request)
        }
        guard case .stored(let message)? = answer else {
            requests.forget(request.request)
            throw refusal(answer, draft: draft, conversation: name)
        }
        if draft.tellsDelivery { reportDelivery(of: message, request.request, in: name) }
        return try await delivered(message, request, wait: wait)
    }

    /// Refuses new sessions of guests once half of the device's share is used, so that guests never
    /// keep the person at the node from writing.
    private func checkGuestsShare(
        of draft: Draft,
        in conversation: ParleyCore.Conversation
    ) throws(NodeError) {
        let tag = conversation.tag(of: draft.session.core, using: machine.crypto)
        guard tag.flatMap(conversation.session) == nil else { return }
        let (kept, share) = (conversation.kept(of: machine.device), conversation.quota.device)
        guard kept.heads > share.heads / 2 || kept.bytes > share.bytes / 2 else { return }
        throw .conversationFull(
            conversation.record.name,
            .device(messages: share.heads / 2, bytes: share.bytes / 2)
        )
    }

    /// Reports to listeners from now on how many nodes have stored a message.
    private func reportDelivery(
        of message: AuthoredMessage,
        _ request: RequestID,
        in conversation: String
    ) {
        if let oldest = requests.endOldestReport() { feed(.unfollowed(oldest)) }
        if let stored = requests.report(request, of: message, in: conversation) {
            news.listeners.emit(stored)
        }
    }

    /// The error for a message that was not acknowledged.
    ///
    /// If the disk fails, the message may still be stored later. The machine does not know why
    /// commits fail.
    private func refusal(
        _ answer: AuthorAnswer?,
        draft: Draft,
        conversation: String
    ) -> NodeError {
        if let obstacle = commits.obstacle, answer == nil || answer == .storeFull {
            return obstacle
        }
        return answer.flatMap { NodeError($0, draft: draft, conversation: conversation) }
            ?? .stopped
    }

    private func authorRequest(
        _ draft: Draft,
        in conversation: ParleyCore.Conversation,
        as guest: UUID?,
        wait: SendWait
    ) throws(NodeError) -> AuthorRequest {
        let request = try draft.authorRequest(
            requests.next(),
            conversation: conversation.number,
            guest: guest.map { ParticipantID(Bytes16($0)) },
            sentAt: Date(),
            wait: wait
        )
        if request.following != .no { requests.follow(request.request, wait: wait) }
        return request
    }

    private func delivered(
        _ message: AuthoredMessage,
        _ authored: AuthorRequest,
        wait: SendWait
    ) async throws(NodeError) -> SentMessage {
        let request = authored.request
        if let (state, wanted, timeout) = wait.counted {
            let nodes = await withCheckedContinuation { done in
                requests.awaitNodes(request, wanted: wanted, done)
                let seconds =
                    Double(timeout.components.seconds)
                    + Double(timeout.components.attoseconds) / 1e18
                executor.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
                    self?.assumeIsolated { $0.requests.timeOver(request) }
                }
            }
            if !requests.isReported(request) {
                requests.forget(request)
                feed(.unfollowed(request))
            }
            let sent = SentMessage(message, state, nodes: nodes)
            guard nodes >= wanted else {
                let members = machine.links.filter(\.isMember).flatMap(\.replications)
                    .filter { $0.conversation == authored.conversation }
                throw .notYetDelivered(
                    sent,
                    wanted: wanted,
                    linked: members.count,
                    full: members.count(where: \.isPeerFull)
                )
            }
            return sent
        }
        return SentMessage(message)
    }
}

extension SendWait {
    /// What is counted up to which number, and how long; nil if nothing is.
    fileprivate var counted: (state: SentMessage.State, wanted: Int, timeout: Duration)? {
        switch self {
        case .stored: nil
        case .delivered(let nodes, let timeout): (.delivered, nodes, timeout)
        case .linked(let nodes, let timeout): (.linked, nodes, timeout)
        }
    }
}
