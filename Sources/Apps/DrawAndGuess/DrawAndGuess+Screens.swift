import Messages

/// The three screens: the summary, drawing and guessing.
extension DrawAndGuess {
    var screen: ParleyView {
        guard let me else { return .empty }
        if isStarting, round == nil { return words }
        guard presentationStyle != .compact, let round, !isWaitingForSend else { return summary }
        if round.canDraw(me) { return drawing(round) }
        return round.canGuess(me) ? guessing(round) : summary
    }

    // MARK: The summary

    private var summary: ParleyView {
        .column {
            ParleyView.text(status).id("status")
            if !note.isEmpty { ParleyView.text(note, style: .caption).id("note") }
            ParleyView.row {
                if presentationStyle == .compact, canAct {
                    ParleyView.button(round?.isDrawersTurn == true ? "Draw" : "Guess") {
                        self.requestPresentationStyle(.expanded)
                    }.id("act").prominent()
                }
                if !isWaitingForSend, !isStarting {
                    ParleyView.button("New drawing") { self.startAnew() }
                        .id("new").prominent(round?.isOver ?? true)
                }
            }.id("actions")
            if let round, !isStarting || isWaitingForSend, let picture = round.picture {
                ParleyView.image(picture).id("picture").accessibilityLabel("The drawing")
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

    private var words: ParleyView {
        .column {
            ParleyView.spacer
            ParleyView.text("What will you draw?", style: .title)
            ParleyView.text("The others must not know.", style: .caption)
            for (index, word) in offered.enumerated() {
                ParleyView.button(word.capitalized) { self.choose(word) }.id("word\(index + 1)")
            }
            ParleyView.spacer
        }
    }

    private func drawing(_ round: Round) -> ParleyView {
        let share = inkLeft / round.inkMax
        let isDry = inkLeft <= Ink.dot
        return .column {
            ParleyView.spacer
            ParleyView.text("Draw “\(round.word)”", style: .title)
            if !round.guesses.isEmpty { ParleyView.text(wrong(round)).id("wrong") }
            ParleyView.row {
                if let bottle = Bottle.picture(share: share) {
                    ParleyView.image(bottle).id("ink")
                        .accessibilityLabel("Ink: \(max(0, Int(share * 100))) % left")
                }
                ParleyView.text(isDry ? "Out of ink" : "Ink", style: .caption)
            }
            // Without ink it is a place to draw nevertheless, so that a finger does not move the
            // page instead.
            ParleyView.canvas(
                ParleyView.Drawing(
                    size: Ink.paper,
                    strokes: round.strokes + strokes,
                    pen: ParleyView.Pen(width: Ink.penWidth, ink: max(0, inkLeft - Ink.dot))
                ),
                drawn: { self.draw($0) }
            )
            .id("paper").accessibilityLabel("Paper")
            ParleyView.row {
                ParleyView.button("Undo") { self.strokes = self.strokes.dropLast() }
                    .id("undo").disabled(strokes.isEmpty)
                if isStarting, strokes.isEmpty {
                    ParleyView.button("Other words") { self.startAnew() }.id("words")
                }
                ParleyView.spacer
                ParleyView.button("Done") { self.finishDrawing() }
                    .id("done").disabled(strokes.isEmpty).prominent()
            }
            ParleyView.spacer
        }
    }

    /// The guesses that were wrong, in a sentence.
    private func wrong(_ round: Round) -> String {
        "Not " + round.guesses.map { "“\($0)”" }.joined(separator: ", ")
    }

    // MARK: Guessing

    private func guessing(_ round: Round) -> ParleyView {
        .column {
            ParleyView.spacer
            ParleyView.text("What is it?", style: .title)
            ParleyView.canvas(ParleyView.Drawing(size: Ink.paper, strokes: round.strokes))
                .id("paper").accessibilityLabel("The drawing")
            if !round.guesses.isEmpty { ParleyView.text(wrong(round)).id("wrong") }
            ParleyView.row {
                ParleyView.textField(
                    "Your guess",
                    text: guess,
                    edited: { self.guess = $0 },
                    submitted: { self.makeGuess($0) }
                )
                .id("guess")
                ParleyView.button("Guess") { self.makeGuess(self.guess) }.id("done").prominent()
            }
            if !note.isEmpty { ParleyView.text(note).id("note") }
            ParleyView.text(
                "You have \(round.guessesLeftText). Each guess is sent at once.",
                style: .caption
            )
            .id("left")
            ParleyView.spacer
        }
    }
}
