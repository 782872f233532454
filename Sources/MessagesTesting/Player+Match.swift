import Foundation
public import MessagesHost
public import ParleyNode

/// Matches, of the latest message that has one; the app may be closed.
extension Player {
    /// The latest match in the transcript.
    public var match: ParleyMatch? { bubbles.last { $0.match != nil }?.match }

    /// The same match as the messages carry it.
    public var matchState: Match? {
        guard let bubble = bubbles.last(where: { $0.match != nil }) else { return nil }
        var found: Match?
        access.session(bubble.session, in: Harness.conversation) { result in
            found = (try? result.get())?.shown.content?.match
        }
        return found
    }

    /// Joins an offered match.
    public func takeSeat() throws(HarnessError) { try choose(.takeSeat) }

    /// Gives the seat in an offered match back.
    public func leaveSeat() throws(HarnessError) { try choose(.leaveSeat) }

    /// Opens the app at the match, and watches, which takes a press only while there are seats.
    public func watch() throws(HarnessError) {
        try tapMatch()
        if match?.choices.contains(.takeSeat) ?? false { try tap("Watch") }
    }

    /// Starts an offered match.
    public func start() throws(HarnessError) { try choose(.start) }

    /// Goes on without somebody whose time is over.
    public func claim() throws(HarnessError) { try choose(.claimTurn) }

    /// Leaves a running match.
    public func resign() throws(HarnessError) { try choose(.resign) }

    /// Asks whoever has the turn to move.
    public func nudge() throws(HarnessError) { try choose(.nudge) }

    /// Takes the own last message back.
    public func undo() throws(HarnessError) { try choose(.undo) }

    /// Offers a rematch, or joins the one that somebody has offered; opens a closed app.
    public func rematch() throws(HarnessError) {
        if match?.phase == .offered, match?.previous != nil { return try takeSeat() }
        if panel?.isOpen != true { try tapMatch() }
        try choose(.rematch)
    }

    /// Offers an exchange to other players.
    public func offerExchange(_ text: String, to players: [Player]) throws(HarnessError) {
        try exchange { _ in .offer(Data(text.utf8), to: players.compactMap(\.participant)) }
    }

    /// Answers the latest exchange of a player.
    public func answerExchange(
        of player: Player,
        with text: String
    ) throws(HarnessError) {
        try exchange { match in
            match.exchanges.last { $0.author == player.participant }
                .map { .answer($0.id, Data(text.utf8)) }
        }
    }

    /// Takes the own exchange back.
    public func cancelExchange() throws(HarnessError) {
        try exchange { [participant] match in
            match.exchanges.last { $0.author == participant }.map { .cancel($0.id) }
        }
    }

    private func exchange(
        _ step: (ParleyMatch) -> ParleyExchange.Step?
    ) throws(HarnessError) {
        let bubble = try matchBubble()
        guard let step = bubble.match.flatMap(step) else { throw .host(.exchange(.gone)) }
        try perform(bubble) { $0.exchange(step, in: bubble.session, $1) }
    }

    private func tapMatch() throws(HarnessError) {
        let bubble = try matchBubble()
        try tapBubble(bubble.line, app: app(of: bubble))
    }

    private func matchBubble() throws(HarnessError) -> Bubble {
        guard let bubble = bubbles.last(where: { $0.match != nil }) else {
            throw .noSuchMessage("", transcript: transcript)
        }
        return bubble
    }

    private func app(of bubble: Bubble) -> String? {
        host.apps.first { $0.speaks == bubble.app }?.id
    }

    private func choose(_ choice: ParleyMatch.Choice) throws(HarnessError) {
        let bubble = try matchBubble()
        try perform(bubble) { $0.choose(choice, in: bubble.session, $1) }
    }

    private func perform(
        _ bubble: Bubble,
        _ action: (AppPanel, @escaping @MainActor (Result<Void, HostError>) -> Void) -> Void
    ) throws(HarnessError) {
        let panel = try found(app(of: bubble))
        var answer: Result<Void, HostError>?
        act { action(panel) { answer = $0 } }
        table?.settle()
        if case .failure(let error)? = answer { throw .host(error) }
    }
}
