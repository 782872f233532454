import Messages

/// The screens: before and after a game, choosing a word, drawing, and guessing.
extension DrawAndGuess {
    var screen: ParleyView {
        guard let scene, scene.match.phase != .offered else { return start }
        guard scene.match.phase == .running else { return results(scene) }
        if scene.isMyDrawing { return scene.isDrawn && !isChoosing ? drawing(scene) : words(scene) }
        return scene.isDrawn ? guessing(scene) : waiting(scene)
    }

    // MARK: Before and after

    private var start: ParleyView {
        .column {
            ParleyView.text(
                scene == nil
                    ? "One draws a word, all others guess it at the same time."
                    : "Two to eight can play. Everybody draws once, with two or three of you twice."
            ).id("status")
            if !note.isEmpty { ParleyView.text(note, style: .caption).id("note") }
            if scene == nil {
                ParleyView.button(clock.map { "Clock: \($0) s" } ?? "No clock") {
                    self.clock = self.clock == 120 ? 60 : self.clock == 60 ? nil : 120
                }.id("clock")
            }
        }
    }

    private func results(_ scene: Scene) -> ParleyView {
        .column {
            ParleyView.text("The game is over", style: .headline).id("status")
            ParleyView.text(scene.board.standing(scene.seats)).id("points")
            last(scene)
            ParleyView.button("New game") { self.startAnew() }.id("new")
        }
    }

    private func waiting(_ scene: Scene) -> ParleyView {
        .column {
            ParleyView.text("\(name(scene.drawer, scene)) is choosing a word", style: .headline)
                .id("status")
            points(scene)
            last(scene)
        }
    }

    /// The points of all, once there are some.
    private func points(_ scene: Scene) -> ParleyView {
        scene.board.points.isEmpty
            ? .empty
            : ParleyView.text(scene.board.standing(scene.seats), style: .caption).id("points")
    }

    /// The drawing before with its word, and whether that is the promised one.
    private func last(_ scene: Scene) -> ParleyView {
        guard let last = scene.board.last else { return .empty }
        let drawer = last.turn % max(1, scene.seats.count)
        let guesser = last.guesser.map { $0 == scene.match.mySeat ? "You" : name($0, scene) }
        return .column {
            ParleyView.text(
                guesser.map { "\($0) guessed it: “\(last.word)”." }
                    ?? "It was “\(last.word)”. Nobody guessed it."
            ).id("word")
            if !last.isTrue(seen: seals[last.key] ?? scene.seal(of: last.key)) {
                ParleyView.text("This is not the word that \(name(drawer, scene)) had promised.")
                    .id("cheat")
            }
            if !last.strokes.isEmpty, let picture = last.picture {
                ParleyView.image(picture).id("picture").accessibilityLabel("The drawing")
            }
        }
    }

    private func name(_ seat: Int?, _ scene: Scene) -> String {
        guard let seat, scene.seats.indices.contains(seat) else { return "Somebody" }
        return scene.match.seats[seat].name
    }

    // MARK: Drawing

    private func words(_ scene: Scene) -> ParleyView {
        .column {
            ParleyView.text("What will you draw?", style: .title).id("status")
            last(scene)
            if let suggestion = scene.suggestion,
                suggestion.word != drawer?.promise(in: scene)?.text
            {
                ParleyView.button(
                    "\(name(suggestion.seat, scene)) suggests “\(suggestion.word)”"
                ) { self.choose(suggestion.word) }.id("suggested")
            }
            for (index, word) in offered.enumerated() {
                ParleyView.button(word.capitalized) { self.choose(word) }.id("word\(index + 1)")
            }
            ParleyView.row {
                ParleyView.textField(
                    "Your own word",
                    text: typed,
                    edited: { self.typed = $0 },
                    submitted: { self.choose($0) }
                ).id("own")
                ParleyView.button("Draw it") { self.choose(self.typed) }.id("take")
            }
            if !note.isEmpty { ParleyView.text(note).id("note") }
            ParleyView.row {
                ParleyView.button("Other words") { self.offerWords() }.id("words")
                if isChoosing {
                    ParleyView.button("Back") { self.chooseAnother() }.id("back")
                } else {
                    ParleyView.button("Pass on") { self.passOn() }.id("pass")
                }
            }
        }
    }

    private func drawing(_ scene: Scene) -> ParleyView {
        let word = drawer?.promise(in: scene)?.text
        let share = inkLeft / scene.inkMax
        let isDry = inkLeft <= Ink.dot
        return .column {
            ParleyView.row {
                ParleyView.text(
                    word.map { "Draw “\($0)”" } ?? "The word is lost: pass on",
                    style: .title
                )
                .id("status")
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
                    strokes: strokes,
                    pen: ParleyView.Pen(width: Ink.penWidth, ink: max(0, inkLeft - Ink.dot))
                ),
                drawn: { self.draw($0) }
            )
            .id("paper").accessibilityLabel("Paper")
            ParleyView.row {
                ParleyView.button("Undo") { self.undo() }.id("undo").disabled(strokes.isEmpty)
                if !scene.board.isSecond {
                    ParleyView.button("Another word") { self.chooseAnother() }.id("another")
                }
                ParleyView.button(drawer?.right(in: scene) == nil ? "Pass on" : "Show the word") {
                    self.passOn()
                }.id("pass")
            }
            guesses(scene)
            suggesting(scene)
        }
    }

    /// The word that the drawer suggests to the next one.
    private func suggesting(_ scene: Scene) -> ParleyView {
        guard let next = scene.suggestible else { return .empty }
        return .column {
            ParleyView.row {
                ParleyView.textField(
                    "A word for the next drawer",
                    text: typed,
                    edited: { self.typed = $0 },
                    submitted: { self.suggest($0) }
                ).id("suggestion")
                ParleyView.button("Suggest") { self.suggest(self.typed) }.id("suggest")
            }
            if !note.isEmpty { ParleyView.text(note).id("note") }
            if let word = drawer?.suggested(in: scene) {
                ParleyView.text(
                    "You suggest “\(word)”. Only \(name(next, scene)) will read it.",
                    style: .caption
                ).id("told")
            }
        }
    }

    // MARK: Guessing

    private func guessing(_ scene: Scene) -> ParleyView {
        .column {
            ParleyView.text("What is it?", style: .title).id("status")
            ParleyView.canvas(ParleyView.Drawing(size: Ink.paper, strokes: scene.strokes))
                .id("paper").accessibilityLabel("The drawing")
            if scene.canGuess {
                ParleyView.row {
                    ParleyView.textField(
                        "Your guess",
                        text: typed,
                        edited: { self.typed = $0 },
                        submitted: { self.makeGuess($0) }
                    ).id("guess")
                    ParleyView.button("Guess") { self.makeGuess(self.typed) }.id("done").prominent()
                }
                if !note.isEmpty { ParleyView.text(note).id("note") }
            }
            guesses(scene)
            if let me = scene.match.mySeat, me == scene.board.suggester {
                ParleyView.text("You suggested this word. The others guess it.").id("left")
            } else if scene.match.mySeat != nil {
                let left = scene.guessesLeft == 1 ? "1 guess" : "\(scene.guessesLeft) guesses"
                ParleyView.text(
                    "You have \(left) left. The first right one counts.",
                    style: .caption
                )
                .id("left")
            }
            ParleyView.text(
                "\(name(scene.drawer, scene)) draws"
                    + (scene.board.suggester.map { " what \(name($0, scene)) suggested" } ?? ""),
                style: .caption
            ).id("drawer")
            points(scene)
            last(scene)
        }
    }

    /// The wrong guesses, and guesses of which the drawer's app has not heard yet.
    private func guesses(_ scene: Scene) -> ParleyView {
        let wrong = scene.isMyDrawing ? drawer?.wrong(in: scene) ?? [] : scene.wrong
        let lines = scene.guesses.suffix(12).map { guess in
            wrong.contains(guess.word)
                ? "\(name(guess.seat, scene)): not “\(guess.word)”"
                : "\(name(guess.seat, scene)): “\(guess.word)”?"
        }
        guard !lines.isEmpty else { return .empty }
        return ParleyView.column { for line in lines { ParleyView.text(line, style: .caption) } }
            .id("guesses")
    }
}
