import Messages
import MessagesHost

/// Tic-tac-toe for two, in a conversation of any size: the others watch.
///
/// Who presses "Who wants to play?" offers two seats. Without seats, the first two who move play.
public final class TicTacToe: MSMessagesAppViewController, ParleyApp {
    private var game = Game()
    private var session = MSSession()
    /// The seats; nil in a game without.
    private var match: ParleyMatch?
    /// The game before the move that is in the input field.
    private var before: Game?
    /// The seconds for each turn of the next match; nil for any time.
    private var clock: Int?

    // MARK: Events

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        show(conversation.selectedMessage)
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        show(message)
    }

    /// The session of which the host shows the seats.
    public var matchSession: MSSession? { session }

    /// Somebody joined, moved or left, a clock ran out, or there is a rematch.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        // A move in the input field stays there as long as it is possible.
        if match.isOf(session), match.isMyTurn, before != nil { return }
        if match.isOf(session) || match.isRematch(of: session) { show(message) }
    }

    /// The empty board of a match or a rematch.
    public func newMatch(in session: MSSession, conversation: MSConversation) -> MSMessage? {
        let me = conversation.localParticipantIdentifier
        let message = Game().message(in: session, playedBy: me)
        conversation.parley?.setClock(clock, for: message)
        return message
    }

    /// The other player has moved, or there is another game.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        // Another game is shown only if there is none on the board.
        guard message.session == session || game == Game() else { return }
        show(message)
    }

    /// The move is on its way.
    public override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        before = nil
    }

    /// The move was deleted from the input field.
    public override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        if let before { game = before }
        before = nil
    }

    private func show(_ message: MSMessage?) {
        guard let message, let game = Game(message: message) else { return }
        self.game = game
        session = message.session ?? MSSession()
        match = activeConversation?.parley?.match(of: message)
        if let seats = match?.seats, seats.count == 2 {
            // The first seat plays X; a rematch moves everybody one seat, so the colors swap.
            (self.game.x, self.game.o) = (seats[0].participant, seats[1].participant)
        }
        before = nil
    }

    // MARK: Actions

    private func play(_ square: Int) {
        guard before == nil, let conversation = activeConversation,
            let moved = game.moved(to: square, by: conversation.localParticipantIdentifier)
        else { return }
        before = game
        game = moved
        let message = moved.message(
            in: session,
            playedBy: conversation.localParticipantIdentifier
        )
        if moved.isOver { conversation.parley?.setOutcomes(moved.outcomes, for: message) }
        conversation.insert(message)
    }

    private func startAnew() {
        game = Game()
        session = MSSession()
        match = nil
        before = nil
    }

    // MARK: Views

    /// The board and its buttons.
    public override var body: ParleyView {
        .column {
            ParleyView.text(status, style: .headline).id("status")
            ParleyView.spacer
            ParleyView.grid(columns: 3) {
                for square in 0..<9 {
                    ParleyView.button(game.squares[square]?.rawValue ?? " ") { self.play(square) }
                        .id("\(square + 1)")
                        .accessibilityLabel(spoken(square))
                        .tint(game.squares[square] == .x ? .orange : .teal)
                        .disabled(!canPlay(square))
                }
            }.id("board")
            if before == nil, match.map({ $0.phase == .over }) ?? (game != Game()) {
                ParleyView.button("New game") { self.startAnew() }.id("new")
                    .prominent(match == nil && game.isOver)
            } else if before == nil, match == nil {
                ParleyView.button(clock.map { "Clock: \($0) s" } ?? "No clock") {
                    self.clock = self.clock == nil ? 30 : self.clock == 30 ? 120 : nil
                }
                .id("clock")
            }
            ParleyView.spacer
        }
    }

    /// The text that a screen reader speaks for a square.
    private func spoken(_ square: Int) -> String {
        "Square \(square + 1), \(game.squares[square]?.rawValue ?? "free")"
    }

    private func canPlay(_ square: Int) -> Bool {
        guard before == nil, match?.isMyTurn ?? true, let conversation = activeConversation
        else { return false }
        return game.moved(to: square, by: conversation.localParticipantIdentifier) != nil
    }

    private var status: String {
        guard let me = activeConversation?.localParticipantIdentifier else { return "" }
        if before != nil { return "Press Send to make your move" }
        if let winner = game.winner {
            let player = game.player(winner)
            return player == me ? "You win" : "$\(player?.uuidString ?? "") wins"
        }
        if game.isOver { return "A draw" }
        if let match, match.phase != .running {
            return match.phase == .over ? "The game is over" : "Two can play"
        }
        if game.canMove(me) { return "Your turn: you play \(game.turn.rawValue)" }
        guard let other = game.player(game.turn) else { return "\(game.turn.rawValue) moves next" }
        return "Waiting for $\(other.uuidString): \(game.turn.rawValue) moves next"
    }
}
