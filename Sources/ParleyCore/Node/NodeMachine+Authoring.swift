/// Authors the messages of people and programs of this node.
extension NodeMachine {
    /// Authors messages in order; messages of one author in different sessions share a signature.
    mutating func author(_ requests: [AuthorRequest]) {
        var batch = AuthoredBatch()
        for request in requests {
            if !batch.takes(request) { publish(&batch) }
            prepare(request, into: &batch)
        }
        publish(&batch)
    }

    private mutating func prepare(_ request: AuthorRequest, into batch: inout AuthoredBatch) {
        guard let index = conversations.index(of: request.conversation) else {
            return answer(request, .unknownConversation)
        }
        let prepared = author.prepare(
            request,
            in: &conversations[index],
            at: index,
            after: commits,
            deviceName: configuration.deviceName,
            at: step.now,
            using: crypto,
            random: &random
        )
        switch prepared {
        case .refused(let refusal): return answer(request, refusal)
        case .accepted(let draft): batch.add(draft)
        case .waits: break
        }
        conversations.reserveSequences(of: index, tickets: &commits, into: &step)
    }

    /// Signs the messages of a batch, and merges them like envelopes from a peer.
    private mutating func publish(_ batch: inout AuthoredBatch) {
        for (draft, arrival) in batch.sign(for: conversations, using: crypto) {
            let refusal = conversations.refusal(of: arrival, in: draft.conversation)
            if refusal == nil, case .blob(let reference, _, let sealed) = draft.picture {
                step.writes += blobs.store(sealed, as: reference, with: commits.next)
                step.contentBytes += sealed.count
            }
            guard refusal == nil, merge(arrival, into: draft.conversation).result == .changed else {
                answer(draft.request, refusal ?? .sessionFull)
                continue
            }
            commits.afterNext(.answer(draft.request.request, .stored(draft.message)))
            if let position = author.follow(draft, in: conversations[draft.conversation]) {
                links.all.askToConfirm(position, of: draft.request.conversation)
            }
        }
    }

    mutating func answer(_ request: AuthorRequest, _ answer: AuthorAnswer) {
        step.deliver(.answer(request.request, answer))
    }
}
