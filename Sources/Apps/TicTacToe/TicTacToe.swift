import Messages

/// Tic-tac-toe for two, in a conversation of any size: the others watch.
public final class TicTacToe: MSMessagesAppViewController {
    private var game = Game()
    private var session = MSSession()
    /// The game before the move that is in the input field.
    private var before: Game?

    // MARK: Events

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        show(conversation.selectedMessage)
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        show(message)
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
        before = nil
    }

    // MARK: Actions

    private func play(_ square: Int) {
        guard before == nil, let conversation = activeConversation,
            let moved = game.moved(to: square, by: conversation.localParticipantIdentifier)
        else { return }
        before = game
        game = moved
        conversation.insert(
            moved.message(in: session, playedBy: conversation.localParticipantIdentifier)
        )
    }

    private func startAnew() {
        game = Game()
        session = MSSession()
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
            if game != Game(), before == nil {
                ParleyView.button("New game") { self.startAnew() }.id("new").prominent(game.isOver)
            }
            ParleyView.spacer
        }
    }

    /// The text that a screen reader speaks for a square.
    private func spoken(_ square: Int) -> String {
        "Square \(square + 1), \(game.squares[square]?.rawValue ?? "free")"
    }

    private func canPlay(_ square: Int) -> Bool {
        guard before == nil, let conversation = activeConversation else { return false }
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
        if game.canMove(me) { return "Your turn: you play \(game.turn.rawValue)" }
        guard let other = game.player(game.turn) else { return "\(game.turn.rawValue) moves next" }
        return "Waiting for $\(other.uuidString): \(game.turn.rawValue) moves next"
    }
}
