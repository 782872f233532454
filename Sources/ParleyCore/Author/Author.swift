/// Writes the messages of this node, holds back requests that wait for a commit, and counts
/// deliveries.
package struct Author: Sendable {
    /// Requests that wait for a commit, oldest first.
    package private(set) var waiting: [AuthorRequest] = []
    /// The nodes that have the messages of requests.
    package var audience = Audience()
    package var receipts = ReceiptTable()
    /// Whether to try the waiting requests again, because the state of the commits changed.
    private var isRetryDue = false

    package init() {}

    /// The result of preparing a request.
    package enum Answer: Sendable {
        /// The message is complete except for its signature.
        case accepted(AuthoredDraft)
        case refused(AuthorAnswer)
        /// The request waits for the commit that is being gathered.
        case waits
    }

    /// Begins to count the nodes that have a message, if its request wants the count.
    ///
    /// - Returns: the position that peers are asked to confirm, if somebody awaits the count.
    mutating func follow(_ draft: AuthoredDraft, in conversation: Conversation) -> UInt64? {
        let (request, tag) = (draft.request, draft.header.tag)
        let follower = request.following == .no ? nil : request.request
        receipts.wrote(draft.message.dot, in: tag, of: conversation.number, for: follower)
        guard let follower, let position = conversation.position(of: tag) else { return nil }
        audience.follow(
            follower,
            conversation: conversation.number,
            position: position,
            blobs: draft.header.blobs
        )
        return request.following == .awaited ? position : nil
    }

    /// Nobody follows the message of the request any more.
    mutating func unfollow(_ request: RequestID) {
        audience.forget(request)
        receipts.forget(request)
    }

    var deadline: Moment? {
        var next = Earliest()
        next.add(audience.deadline)
        next.add(receipts.deadline)
        return next.moment
    }

    // MARK: Waiting

    /// A commit is done, or commits began to fail or to work again.
    package mutating func commitsChanged() { isRetryDue = true }

    /// The requests to try again now, if a retry is due.
    package mutating func takeWaiting() -> [AuthorRequest] {
        defer { isRetryDue = false }
        guard isRetryDue else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// The node has left a conversation.
    ///
    /// - Returns: the waiting requests for the conversation.
    package mutating func left(_ conversation: UInt32) -> [AuthorRequest] {
        receipts.left(conversation)
        let lost = waiting.filter { $0.conversation == conversation }
        waiting.removeAll { $0.conversation == conversation }
        return lost
    }

    /// Whether a message has to wait for a commit.
    ///
    /// A message waits behind other requests, without a free sequence, and while a head of this
    /// node in its session is on the way to the disk. Otherwise such heads could be replaced again
    /// and again before they are stored and sent, and no peer would ever hear of the session.
    private func hasToWait(
        _ tag: SessionTag,
        in conversation: Conversation,
        for commits: Commits
    ) -> Bool {
        guard waiting.isEmpty, conversation.ownSequences.available > 0 else { return true }
        guard let session = conversation.sessions.numbers[tag] else { return false }
        return conversation.sessions[Int(session)].heads.contains { head in
            head.sentAfter > commits.committed && head.sentAfter < commits.next
        }
    }

    private mutating func wait(_ request: AuthorRequest) -> Answer {
        guard waiting.count < Limits.waitingRequests else { return .refused(.storeFull) }
        waiting.append(request)
        return .waits
    }

    // MARK: Requests

    /// Turns a request into a message: takes a sequence, and seals the body, in which the name of
    /// this device or of the guest stands.
    package mutating func prepare(
        _ request: AuthorRequest,
        in conversation: inout Conversation,
        at index: Int,
        after commits: Commits,
        deviceName: String,
        at now: Moment,
        using crypto: some Cryptography,
        random: inout some RandomNumberGenerator
    ) -> Answer {
        guard conversation.record.certificate != nil else { return .refused(.readOnly) }
        guard conversation.standing == .member else {
            return .refused(.notMember(conversation.standing))
        }
        guard let author = Seat(of: request.guest, in: conversation) else {
            return .refused(.unknownGuest)
        }
        var request = request
        request.address(by: author.author.participant, using: crypto)
        guard let tag = conversation.keys.tag(of: request.body.session, using: crypto) else {
            return .refused(.readOnly)
        }
        guard !commits.isBlocked else { return .refused(.storeFull) }
        guard !hasToWait(tag, in: conversation, for: commits) else { return wait(request) }
        do throws(AuthorRefusal) {
            return .accepted(
                try AuthoredDraft(
                    request,
                    by: author,
                    tag,
                    in: &conversation,
                    at: index,
                    deviceName: deviceName.isEmpty ? nil : deviceName,
                    now: now,
                    using: crypto,
                    random: &random
                )
            )
        } catch {
            return .refused(error.answer)
        }
    }
}
