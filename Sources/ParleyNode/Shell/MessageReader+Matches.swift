import ParleyCore

/// Reading what the node says of turn games.
extension MessageReader {
    /// The public value of a session's turn game.
    func match(_ match: MatchView, in view: SessionView) -> MatchDetail {
        MatchDetail(
            legal: legal(match, in: view).map { message($0, in: view) },
            violations: match.game.violations.map { violation in
                Match.Violation(
                    message: MessageID(violation.head.dot),
                    sender: participant(author(of: violation.head.dot, in: view)),
                    fault: Match.Fault(violation.fault)
                )
            },
            isChecked: match.game.isChecked
        )
    }

    /// The last legal message, if another one is shown.
    private func legal(_ match: MatchView, in view: SessionView) -> HeadView? {
        guard let dot = match.game.legal?.dot, dot != view.heads.first?.dot else { return nil }
        if let head = view.heads.first(where: { $0.dot == dot }) { return head }
        // What was too long to be kept, or is damaged, cannot be shown.
        guard let envelope = match.envelope,
            let header = try? Envelope(decoding: envelope).header, header.dot == dot
        else { return nil }
        return HeadView(header, envelope: envelope, author: author(of: dot, in: view))
    }

    private func author(of dot: Dot, in view: SessionView) -> AuthorView? {
        machine.conversations.author(of: dot.origin, in: view.conversation)
    }
}

extension Match.Fault {
    /// The fault of the same name; a test has all.
    init(_ fault: MatchFault) { self = Self(rawValue: fault.rawValue) ?? .noGame }
}
