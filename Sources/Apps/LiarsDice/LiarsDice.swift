import Messages
import MessagesHost

/// Liar's dice for two to six.
///
/// Everybody rolls under a cup, and calls how many dice there are with one face under all cups. Who
/// is caught lying loses a die; the last one with dice wins.
public final class LiarsDice: MSMessagesAppViewController, ParleyApp {
    private var board: Board?
    private var session = MSSession()
    /// The call that is being made up.
    private var wanted = Call(count: 1, face: 1)
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

    /// Somebody joined, rolled, called or left, or a clock ran out.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        if match.isOf(session) || match.isRematch(of: session) || board == nil { show(message) }
    }

    /// The table of a match or a rematch, without dice.
    public func newMatch(in session: MSSession, conversation: MSConversation) -> MSMessage? {
        let name = "$" + conversation.localParticipantIdentifier.uuidString
        let message = Round().message(in: session, saying: "\(name) wants to play")
        conversation.parley?.setClock(clock, for: message)
        return message
    }

    private func show(_ message: MSMessage?) {
        guard let message, let match = activeConversation?.parley?.match(of: message) else {
            return
        }
        let before = board?.call
        session = message.session ?? MSSession()
        board = Board(message.url, in: match)
        guard let call = board?.call else { return wanted = Call(count: 1, face: 1) }
        if call != before { wanted = Call(count: call.count + 1, face: call.face) }
    }

    private func send(_ play: Play?, _ board: Board, _ parley: ParleyConversation?) {
        guard let message = play?.message(in: session, after: board, parley) else { return }
        activeConversation?.send(message)
    }

    // MARK: Views

    /// The cups, and what one can do.
    public override var body: ParleyView {
        .column {
            ParleyView.text(status, style: .headline).id("status")
            if let board, board.match.phase != .offered {
                ParleyView.grid(columns: 2) { board.match.seats.indices.flatMap { cup($0, board) } }
                if board.match.phase == .running, board.match.isMyTurn { actions(board) }
            } else {
                ParleyView.text(rules, style: .caption)
            }
            if board == nil || board?.match.phase == .over {
                ParleyView.button(clock.map { "Clock: \($0) s" } ?? "No clock") {
                    self.clock = self.clock == nil ? 30 : self.clock == 30 ? 120 : nil
                }
                .id("clock")
            }
            ParleyView.spacer
        }
    }

    private let rules = """
        Everybody rolls five dice under a cup. In turn, call how many dice show one face under all \
        cups, each time more, or say “Liar!”: all dice are shown, and who was wrong loses one.
        """

    /// A player's name, and the dice as far as one may see them.
    private func cup(_ seat: Int, _ board: Board) -> [ParleyView] {
        let (count, dice) = (board.counts[seat], board.dice(of: seat))
        let isMine = seat == board.match.mySeat
        let cup = Table.Cup(count: count, dice: dice, isMine: isMine)
        guard let picture = Table(cups: [cup]).picture else { return [] }
        let spoken = dice.map { $0.map(String.init).joined(separator: " ") }
        return [
            ParleyView.text(board.match.seats[seat].name + (isMine ? " (you)" : "")),
            ParleyView.image(picture).accessibilityLabel(spoken ?? "\(count) dice under the cup"),
        ]
    }

    private func actions(_ board: Board) -> [ParleyView] {
        let parley = activeConversation?.parley
        if board.needsRoll || board.loser != nil {
            let title = board.loser == nil ? "Roll the dice" : "Go on"
            return [
                ParleyView.button(title) { self.send(board.rolled, board, parley) }
                    .id("roll").prominent()
            ]
        }
        guard board.mayCall else { return [] }
        let call = ParleyView.button("Call") {
            self.send(board.called(self.wanted), board, parley)
        }
        let doubt = ParleyView.button("Liar!") {
            self.send(board.doubted, board, parley)
        }
        return [
            ParleyView.row {
                step("−", "Fewer dice") { $0.count = max(1, $0.count - 1) }
                ParleyView.text(wanted.text, style: .headline).id("wanted")
                step("+", "More dice") { $0.count = min(Call.countMax, $0.count + 1) }
                step("Face", "Next face") { $0.face = $0.face % 6 + 1 }
            },
            ParleyView.row {
                call.id("call").prominent().disabled(!wanted.beats(board.call))
                if board.call != nil { doubt.id("liar").tint(.orange) }
            },
        ]
    }

    private func step(
        _ title: String,
        _ spoken: String,
        _ change: @escaping (inout Call) -> Void
    ) -> ParleyView {
        ParleyView.button(title) { change(&self.wanted) }.accessibilityLabel(spoken)
    }

    private var status: String {
        guard let board else { return "Liar's dice for two to six" }
        let match = board.match
        if match.phase == .offered { return "Two to six can play" }
        if match.phase == .over { return "The game is over" }
        if let found = board.found, let loser = board.loser, let face = board.call?.face {
            let there = Call(count: found, face: face).text
            return "\(there) under the cups: \(match.seats[loser].name) loses a die"
        }
        if !board.needsRoll, let missing = board.waitsFor.first {
            return "Waiting for the dice of \(missing.name)"
        }
        let turn = match.seats.filter(\.hasTurn).map(\.name).joined(separator: ", ")
        let call = board.call.map { "The call is \($0.text). " } ?? ""
        return call + (match.isMyTurn ? "Your turn" : "\(turn) is next")
    }
}
