import Messages

/// The three screens: the summary, drawing and guessing.
extension DrawAndGuess {
    var screen: View {
        guard let me else { return .empty }
        if isStarting, round == nil { return words }
        guard presentationStyle != .compact, let round, !isWaitingForSend else { return summary }
        if round.canDraw(me) { return drawing(round) }
        return round.canGuess(me) ? guessing(round) : summary
    }

    // MARK: The summary

    private var summary: View {
        .column {
            View.text(status).id("status")
            if !note.isEmpty { View.text(note, style: .caption).id("note") }
            View.row {
                if presentationStyle == .compact, canAct {
                    View.button(round?.isDrawersTurn == true ? "Draw" : "Guess") {
                        self.requestPresentationStyle(.expanded)
                    }.id("act").prominent()
                }
                if !isWaitingForSend, !isStarting {
                    View.button("New drawing") { self.startAnew() }
                        .id("new").prominent(round?.isOver ?? true)
                }
            }.id("actions")
            if let round, !isStarting || isWaitingForSend, let picture = round.picture {
                View.image(picture).id("picture").accessibilityLabel("The drawing")
            }
        }
    }

    private var canAct: Bool {
        guard let round, let me, !isWaitingForSend else { return false }
        return round.canDraw(me) || round.canGuess(me)
    }

    private var status: String {
        guard let round, let me else {
            return "Draw something, and see whether your friends know what it is."
        }
        if isWaitingForSend {
            return "Your drawing is in the message field. Press Send, and the others can guess."
        }
        let isBySelf = sender == me
        let by = "$\(sender?.uuidString ?? "")"
        if round.isGuessed {
            return isBySelf
                ? "Well guessed! It is “\(round.word)”." : "\(by) guessed it: “\(round.word)”."
        }
        if round.isOver { return "It was “\(round.word)”. Nobody guessed it." }
        if round.canDraw(me) {
            guard let guess = round.guesses.last else { return "Draw “\(round.word)”." }
            return "\(by) guessed “\(guess)”. You have more ink: draw more of “\(round.word)”."
        }
        if round.canGuess(me) { return "What is it? You have \(round.guessesLeftText)." }
        if me == round.drawer {
            return "The others are guessing. A wrong guess gives you more ink."
        }
        return "\(isBySelf ? "You" : by) guessed “\(round.guesses.last ?? "")”, which is wrong. "
            + "$\(round.drawer.uuidString) has more ink and is drawing more of it."
    }

    // MARK: Drawing

    private var words: View {
        .column {
            View.spacer
            View.text("What will you draw?", style: .title)
            View.text("The others must not know.", style: .caption)
            for (index, word) in offered.enumerated() {
                View.button(word.capitalized) { self.choose(word) }.id("word\(index + 1)")
            }
            View.spacer
        }
    }

    private func drawing(_ round: Round) -> View {
        let share = inkLeft / round.inkMax
        let isDry = inkLeft <= Ink.dot
        return .column {
            View.spacer
            View.text("Draw “\(round.word)”", style: .title)
            if !round.guesses.isEmpty { View.text(wrong(round)).id("wrong") }
            View.row {
                if let bottle = Bottle.picture(share: share) {
                    View.image(bottle).id("ink")
                        .accessibilityLabel("Ink: \(max(0, Int(share * 100))) % left")
                }
                View.text(isDry ? "Out of ink" : "Ink", style: .caption)
            }
            // Without ink it is a place to draw nevertheless, so that a finger does not move the
            // page instead.
            View.canvas(
                View.Drawing(
                    size: Ink.paper,
                    strokes: round.strokes + strokes,
                    pen: View.Pen(width: Ink.penWidth, ink: max(0, inkLeft - Ink.dot))
                ),
                drawn: { self.draw($0) }
            )
            .id("paper").accessibilityLabel("Paper")
            View.row {
                View.button("Undo") { self.strokes = self.strokes.dropLast() }
                    .id("undo").disabled(strokes.isEmpty)
                if isStarting, strokes.isEmpty {
                    View.button("Other words") { self.startAnew() }.id("words")
                }
                View.spacer
                View.button("Done") { self.finishDrawing() }
                    .id("done").disabled(strokes.isEmpty).prominent()
            }
            View.spacer
        }
    }

    /// The guesses that were wrong, in a sentence.
    private func wrong(_ round: Round) -> String {
        "Not " + round.guesses.map { "“\($0)”" }.joined(separator: ", ")
    }

    // MARK: Guessing

    private func guessing(_ round: Round) -> View {
        .column {
            View.spacer
            View.text("What is it?", style: .title)
            View.canvas(View.Drawing(size: Ink.paper, strokes: round.strokes))
                .id("paper").accessibilityLabel("The drawing")
            if !round.guesses.isEmpty { View.text(wrong(round)).id("wrong") }
            View.row {
                View.textField(
                    "Your guess",
                    text: guess,
                    edited: { self.guess = $0 },
                    submitted: { self.makeGuess($0) }
                )
                .id("guess")
                View.button("Guess") { self.makeGuess(self.guess) }.id("done").prominent()
            }
            if !note.isEmpty { View.text(note).id("note") }
            View.text(
                "You have \(round.guessesLeftText). Each guess is sent at once.",
                style: .caption
            )
            .id("left")
            View.spacer
        }
    }
}
