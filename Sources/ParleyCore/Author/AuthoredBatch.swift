/// Messages of one signature, none of the same session as another.
struct AuthoredBatch {
    private(set) var drafts: [AuthoredDraft] = []
    private var sessions: Set<SessionID> = []

    var isFull: Bool { drafts.count == 1 << Limits.proofDepth }

    /// Whether the request would replace a message that is not merged yet.
    func touches(_ request: AuthorRequest) -> Bool {
        sessions.contains(request.body.session)
    }

    mutating func add(_ draft: AuthoredDraft) {
        drafts.append(draft)
        sessions.insert(draft.request.body.session)
    }
}
