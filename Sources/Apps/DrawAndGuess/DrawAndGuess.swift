import Foundation
import Messages

/// One draws a word with little ink, the others guess; each wrong guess gives the drawer more ink.
///
/// A drawing waits in the input field until somebody presses Send. A guess is sent at once and
/// cannot be taken back: only then does the guesser learn whether it is right.
public final class DrawAndGuess: MSMessagesAppViewController {
    /// The message whose round is shown; nil for none.
    private var message: MSMessage?
    /// The message before the draft.
    private var before: MSMessage?
    private(set) var round: Round?
    /// Whether this person is starting a round, with the words to choose from.
    private(set) var isStarting = false
    private(set) var offered: [String] = []
    /// Strokes that are not in a message yet.
    var strokes: [ParleyView.Stroke] = []
    var guess = ""
    private(set) var note = ""
    /// Whether a guess was handed over, and is not on its way yet.
    private(set) var isGuessing = false
    private var unfinished: UnfinishedRounds?

    var isWaitingForSend: Bool { message?.isPending == true }

    /// The participant of this person; nil while the app is not active.
    var me: UUID? { activeConversation?.localParticipantIdentifier }

    /// The participant who sent the message that is shown.
    var sender: UUID? { message?.senderParticipantIdentifier }

    // MARK: Events

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        let me = conversation.localParticipantIdentifier
        unfinished = UnfinishedRounds(folder: documentsDirectory, participant: me)
        if let selected = conversation.selectedMessage {
            show(selected)
        } else {
            _ = resume()
        }
    }

    /// The app is being closed, and keeps unsent work for the next time.
    public override func willResignActive(with conversation: MSConversation) {
        keep()
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        show(message)
    }

    /// Somebody has drawn or guessed.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        // A message of another round is shown only after this round, and not over an unsent move.
        let isSame = message.session == self.message?.session
        guard isSame || (!isStarting && !isWaitingForSend && round?.isOver ?? true) else { return }
        let wasWaiting = isWaitingForSend
        show(message)
        if wasWaiting { note = "Somebody was faster. Remove your draft, and go on from here." }
    }

    /// The drawing or the guess is on its way.
    public override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        strokes = []
        guess = ""
        unfinished?[self.message?.url] = nil
        before = nil
        show(message)
    }

    /// The drawing was removed from the input field.
    public override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        note = ""
        // Another message is shown if somebody was faster.
        if message.url == self.message?.url {
            // A round that was just begun goes on with the word that was chosen.
            if before == nil, let begun = round, begun.guesses.isEmpty {
                round = Round(word: begun.word, drawer: begun.drawer)
                strokes = begun.strokes
                isStarting = true
            } else {
                round = Round(message: before)
            }
            self.message = before
        }
        before = nil
    }

    private func show(_ message: MSMessage) {
        guard let round = Round(message: message) else {
            note = "I cannot make sense of this message."
            return
        }
        let isOther = message.session != self.message?.session
        if isOther { keep() }
        self.message = message
        self.round = round
        isStarting = false
        note = ""
        guard isOther else { return }
        let kept = isWaitingForSend ? nil : unfinished?[message.url]
        strokes = kept?.strokes ?? []
        guess = kept?.guess ?? ""
    }

    /// Keeps unsent work, except for a drawing in the input field, which stays there.
    private func keep() {
        guard !isWaitingForSend, message != nil || isStarting else { return }
        let word = isStarting ? round?.word : nil
        let kept = UnfinishedRound(word: word, drawing: InkText.text(strokes), guess: guess)
        unfinished?[message?.url] = kept.isEmpty ? nil : kept
    }

    /// Goes on with the round that was begun last and has no message yet; returns whether there is
    /// one.
    private func resume() -> Bool {
        guard let me, let begun = unfinished?[nil], let word = begun.word else { return false }
        round = Round(word: word, drawer: me)
        strokes = begun.strokes
        isStarting = true
        return true
    }

    // MARK: Actions

    func startAnew() {
        requestPresentationStyle(.expanded)
        guard !isWaitingForSend else { return }
        let wasStarting = isStarting
        keep()
        message = nil
        guess = ""
        note = ""
        if !wasStarting, resume() { return }
        isStarting = true
        round = nil
        strokes = []
        offered = Array(Words.all.shuffled().prefix(3))
    }

    func choose(_ word: String) {
        if let me { round = Round(word: word, drawer: me) }
    }

    func draw(_ stroke: ParleyView.Stroke) {
        guard let stroke = Ink.stroke(stroke, ink: inkLeft) else { return }
        strokes.append(stroke)
    }

    var inkLeft: Double {
        guard let round else { return 0 }
        return round.inkMax - Ink.used(by: round.strokes + strokes)
    }

    func finishDrawing() {
        guard let conversation = activeConversation, !isWaitingForSend,
            let next = round?.drawn(strokes, by: conversation.localParticipantIdentifier)
        else { return }
        let session = message?.session ?? MSSession()
        let staged = next.message(in: session, from: conversation.localParticipantIdentifier)
        unfinished?[message?.url] = nil
        before = message
        message = staged
        round = next
        isStarting = false
        note = ""
        conversation.insert(staged)
    }

    func makeGuess(_ text: String) {
        guard let conversation = activeConversation, let session = message?.session, !isGuessing
        else { return }
        guess = text
        let word = Words.tidy(text)
        guard !word.isEmpty else { return note = "Write what you think it is, then press Guess." }
        guard round?.guesses.contains(word) == false else {
            return note = "“\(word)” was guessed before. Try something else."
        }
        let me = conversation.localParticipantIdentifier
        guard let next = round?.guessed(word, by: me) else { return }
        note = ""
        isGuessing = true
        conversation.send(next.message(in: session, from: me)) { error in
            MainActor.assumeIsolated { self.guessed(error) }
        }
    }

    /// The guess is on its way, or was refused.
    private func guessed(_ error: (any Error)?) {
        isGuessing = false
        if error != nil { note = "Your guess could not be sent. Try it once more." }
        setNeedsBodyUpdate()
    }

    /// One of three screens: the summary, drawing, or guessing.
    public override var body: ParleyView { screen }
}
