/// Messages that will share one signature, at most one of each session.
struct AuthoredBatch {
    private(set) var drafts: [AuthoredDraft] = []
    private var sessions: Set<SessionID> = []

    var isFull: Bool { drafts.count == 1 << Limits.proofDepth }

    /// Whether the request is for the session of a message in the batch, which is not merged yet.
    func touches(_ request: AuthorRequest) -> Bool {
        sessions.contains(request.body.session)
    }

    mutating func add(_ draft: AuthoredDraft) {
        drafts.append(draft)
        sessions.insert(draft.request.body.session)
    }
}
