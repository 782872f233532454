import Messages

/// One draws a word with little ink, the others guess; each wrong guess gives the drawer more ink.
public final class DrawAndGuess: MSMessagesAppViewController {
    /// The message whose round is shown; nil for none.
    private var message: MSMessage?
    /// The message before the one that is in the input field.
    private var before: MSMessage?
    private var round: Round?
    /// A round that this person is starting, and the words to choose from.
    private var isStarting = false
    private var offered: [String] = []
    /// Strokes that are not in a message yet.
    private var strokes: [View.Stroke] = []
    private var guess = ""
    private var note = ""

    private var isWaitingForSend: Bool { message?.isPending == true }

    // MARK: What happens

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        if let selected = conversation.selectedMessage { show(selected) }
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        show(message)
    }

    /// Somebody has drawn or guessed.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        // Another round is shown only if this one is at its end.
        let isSame = message.session == self.message?.session
        guard isSame || (!isStarting && !isWaitingForSend && round?.isOver ?? true) else { return }
        let wasWaiting = isWaitingForSend
        show(message)
        if wasWaiting { note = "Somebody was faster. Remove your draft, and go on from here." }
    }

    /// The drawing or the guess is on its way.
    public override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        before = nil
        strokes = []
        guess = ""
        show(message)
    }

    /// The drawing or the guess was removed from the input field.
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
        if message.session != self.message?.session { strokes = [] }
        self.message = message
        self.round = round
        isStarting = false
        note = ""
    }

    // MARK: What people do

    private func startAnew() {
        requestPresentationStyle(.expanded)
        guard !isWaitingForSend else { return }
        isStarting = true
        message = nil
        round = nil
        strokes = []
        note = ""
        offered = Array(Words.all.shuffled().prefix(3))
    }

    private func choose(_ word: String) {
        guard let me = activeConversation?.localParticipantIdentifier else { return }
        round = Round(word: word, drawer: me)
    }

    private func draw(_ stroke: View.Stroke) {
        guard let stroke = Ink.stroke(stroke, ink: inkLeft) else { return }
        strokes.append(stroke)
    }

    private var inkLeft: Double {
        guard let round else { return 0 }
        return round.inkMax - Ink.used(by: round.strokes + strokes)
    }

    private func finishDrawing() {
        guard let me = activeConversation?.localParticipantIdentifier else { return }
        stage(round?.drawn(strokes, by: me))
    }

    private func makeGuess(_ text: String) {
        guard let me = activeConversation?.localParticipantIdentifier, !Words.tidy(text).isEmpty
        else { return }
        guess = text
        if round?.guesses.contains(Words.tidy(text)) == true {
            note = "“\(Words.tidy(text))” was guessed before. Try something else."
            return
        }
        stage(round?.guessed(text, by: me))
    }

    private func stage(_ next: Round?) {
        guard let next, let conversation = activeConversation, !isWaitingForSend else { return }
        let session = message?.session ?? MSSession()
        let staged = next.message(in: session, from: conversation.localParticipantIdentifier)
        before = message
        message = staged
        round = next
        isStarting = false
        note = ""
        conversation.insert(staged)
    }

    // MARK: What they see

    private var screen: View {
        guard let me = activeConversation?.localParticipantIdentifier else { return .empty }
        if isStarting, round == nil { return words }
        guard presentationStyle != .compact, let round, !isWaitingForSend else { return summary }
        if round.canDraw(me) { return drawing(round) }
        return round.canGuess(me) ? guessing(round) : summary
    }

    /// One of three screens: the summary, drawing, or guessing.
    public override var body: View { screen }

    private var summary: View {
        .column {
            View.row {
                View.text("Draw and guess", style: .title)
                View.spacer
                if !isWaitingForSend, !isStarting {
                    View.button("New drawing") { self.startAnew() }.id("new")
                }
            }
            View.text(status).id("status")
            if !note.isEmpty { View.text(note, style: .caption) }
            if presentationStyle == .compact, canAct {
                View.button(round?.isDrawersTurn == true ? "Draw" : "Guess") {
                    self.requestPresentationStyle(.expanded)
                }.id("act")
            }
            if let round, !isStarting || isWaitingForSend, let picture = round.picture {
                View.image(picture).id("picture").accessibilityLabel("The drawing")
            }
        }
    }

    private var canAct: Bool {
        guard let round, let me = activeConversation?.localParticipantIdentifier,
            !isWaitingForSend
        else { return false }
        return round.canDraw(me) || round.canGuess(me)
    }

    private var status: String {
        guard let round, let me = activeConversation?.localParticipantIdentifier else {
            return "Draw something, and see whether your friends know what it is."
        }
        if isWaitingForSend { return "Press Send." }
        if round.isGuessed { return "It is “\(round.word)”. Well guessed!" }
        if round.isOver { return "It was “\(round.word)”. Nobody guessed it." }
        if round.canDraw(me) {
            return round.guesses.isEmpty
                ? "Draw “\(round.word)”." : "It is not “\(round.guesses.last ?? "")”: draw more."
        }
        if round.canGuess(me) { return "What is it? \(guessesLeft(round))" }
        return me == round.drawer
            ? "The others are guessing. A wrong guess gives you more ink."
            : "“\(round.guesses.last ?? "")” was wrong. The drawer is drawing more of it."
    }

    private func guessesLeft(_ round: Round) -> String {
        round.guessesLeft == 1 ? "One guess is left." : "\(round.guessesLeft) guesses are left."
    }

    private var words: View {
        .column {
            View.text("What will you draw?", style: .title)
            View.text("The others must not know.", style: .caption)
            for (index, word) in offered.enumerated() {
                View.button(word.capitalized) { self.choose(word) }.id("word\(index + 1)")
            }
        }
    }

    private func drawing(_ round: Round) -> View {
        let share = inkLeft / round.inkMax
        let percent = max(0, Int(share * 100))
        let isDry = inkLeft <= Ink.dot
        return .column {
            View.text("Draw “\(round.word)”", style: .title)
            if !round.guesses.isEmpty {
                View.text("Not " + round.guesses.map { "“\($0)”" }.joined(separator: ", "))
            }
            View.row {
                if let bottle = Bottle.picture(share: share) {
                    View.image(bottle).id("ink").accessibilityLabel("Ink: \(percent) % left")
                }
                View.text(isDry ? "Out of ink" : "\(percent) %", style: .caption)
            }
            View.canvas(
                View.Drawing(
                    size: Ink.paper,
                    strokes: round.strokes + strokes,
                    pen: View.Pen(width: Ink.penWidth, ink: max(0, inkLeft - Ink.dot))
                ),
                drawn: { self.draw($0) }
            )
            .id("paper").accessibilityLabel("Paper").disabled(isDry)
            View.row {
                View.button("Undo") { self.strokes = self.strokes.dropLast() }
                    .id("undo").disabled(strokes.isEmpty)
                View.spacer
                View.button("Done") { self.finishDrawing() }
                    .id("done").disabled(strokes.isEmpty)
            }
        }
    }

    private func guessing(_ round: Round) -> View {
        .column {
            View.text("What is it?", style: .title)
            View.canvas(View.Drawing(size: Ink.paper, strokes: round.strokes))
                .id("paper").accessibilityLabel("The drawing")
            if !round.guesses.isEmpty {
                View.text("Not " + round.guesses.map { "“\($0)”" }.joined(separator: ", "))
            }
            if !note.isEmpty { View.text(note) }
            View.row {
                View.textField(
                    "Your guess",
                    text: guess,
                    edited: { self.guess = $0 },
                    submitted: { self.makeGuess($0) }
                )
                .id("guess")
                View.button("Guess") { self.makeGuess(self.guess) }.id("done")
            }
            View.text(guessesLeft(round), style: .caption)
        }
    }
}
