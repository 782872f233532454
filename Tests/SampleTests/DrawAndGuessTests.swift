import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleDrawAndGuess
import Testing

/// Games of two, of three and of six.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct DrawAndGuessTests {
    /// With two, both draw twice; the points decide, and a rematch begins with the other one.
    @Test func twoPlayAGame() throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        #expect(ben.screen.contains("ann is choosing a word"))
        for (turn, (drawer, guesser)) in [(ann, ben), (ben, ann), (ann, ben)].enumerated() {
            let word = try game.draw(drawer)
            // A drawing needs no Send, so nobody is taken anywhere else.
            #expect(drawer.draft == nil)
            #expect(game.strokes(guesser)?.count == 1)
            try guesser.submit("the " + word.uppercased(), into: "Your guess")
            if turn == 0 { #expect(guesser.screen.contains("You guessed it: “\(word)”.")) }
            #expect(drawer.screen.contains("\(guesser.name) guessed it: “\(word)”."))
            #expect(guesser.screen.contains("What will you draw?"))
        }
        let word = try game.draw(ben)
        try ben.tap("Pass on")
        for player in [ann, ben] {
            #expect(player.screen.contains("The game is over"))
            #expect(player.screen.contains("It was “\(word)”. Nobody guessed it."))
            #expect(player.screen.contains("ben 5 · ann 4"))
        }
        #expect(
            ann.match?.outcomes == [
                ParleyOutcome(.placed, place: 2, score: 4), ParleyOutcome(.won, place: 1, score: 5),
            ]
        )
        #expect(ann.screen.contains("ben won"))
        try ann.tap("Rematch")
        try ben.tap("Join")
        #expect(ben.screen.contains("What will you draw?"))
        #expect(ann.screen.contains("ben is choosing a word"))
        // Another game takes another message.
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 2)
    }

    /// Nobody waits for anybody: what is half typed stays, and the drawer goes on drawing.
    @Test func allGuessAtTheSameTime() throws {
        let game = try DrawingTable(["ann", "ben", "cat"], watching: ["dan"])
        let (ann, ben, cat, dan) = (
            game.players[0], game.players[1], game.players[2], game.players[3]
        )
        let word = try game.draw(ann)
        try ben.type("a half", into: "Your guess")
        try ann.draw(DrawingTable.line(60), on: "Paper")
        try cat.submit("A cuckoo clock!", into: "Your guess")
        try ann.draw(DrawingTable.line(80), on: "Paper")
        for player in game.players {
            #expect(player.screen.contains("cat: not “a cuckoo clock”"))
            #expect(game.strokes(player)?.count == 3)
            #expect(!player.screen.contains("\(word)”?"))
        }
        #expect(ben.screen.contains("<Your guess: a half>"))
        // Those who watch see everything, and cannot guess.
        #expect(dan.screen.contains("What is it?"))
        #expect(throws: HarnessError.self) { try dan.type(word, into: "Your guess") }
        // The screen is the same where the app has little room.
        ben.collapse()
        ann.collapse()
        #expect(ben.screen.contains("<Your guess: a half>"))
        #expect(ann.screen.contains("Draw “\(word)”"))
        try ben.submit(word, into: "Your guess")
        for player in [ann, cat, dan] {
            #expect(player.screen.contains("ben guessed it: “\(word)”."))
            #expect(player.screen.contains("ben 2 · ann 1 · cat 0"))
        }
        #expect(cat.screen.contains("ben is choosing a word"))
        #expect(dan.bubbles.last?.layout?.caption == "It is “\(word)”!")
        #expect(dan.bubbles.last?.layout?.subcaption == "ben guessed it")
    }

    /// With six, each draws once; who has left is passed over, also in the own turn.
    @Test func sixPlayAndOneLeaves() throws {
        let names = ["ann", "ben", "cat", "dan", "eve", "fay"]
        let game = try DrawingTable(names)
        let all = game.players
        try all[2].resign()
        for (drawer, guesser) in [(0, 5), (1, 5)] {
            let word = try game.draw(all[drawer])
            try all[2].tapBubble()
            #expect(throws: HarnessError.self) { try all[2].type(word, into: "Your guess") }
            try all[guesser].submit(word, into: "Your guess")
        }
        // The third one has left, so the fourth one draws, and leaves while drawing.
        _ = try game.draw(all[3])
        try all[3].resign()
        for drawer in [4, 5] {
            #expect(all[0].screen.contains("\(names[drawer]) is choosing a word"))
            let word = try game.draw(all[drawer])
            try all[drawer == 4 ? 5 : 1].submit(word, into: "Your guess")
        }
        let outcomes = try #require(all[0].match?.outcomes)
        #expect(outcomes.map(\.result) == [.placed, .placed, .quit, .quit, .placed, .won])
        #expect(outcomes.map(\.score) == [1, 3, nil, nil, 1, 7])
        #expect(outcomes.map(\.place) == [3, 2, nil, nil, 3, 1])
        let places = "1. \(names[5]) 7 · 2. \(names[1]) 3 · 3. \(names[0]) 1 · 3. \(names[4]) 1"
        #expect(all[0].screen.contains("Places: \(places)"))
    }

    /// Regression: places counted the points of those who had left, so that nobody won.
    @Test func whoHasLeftTakesNoPlace() throws {
        let game = try DrawingTable(["ann", "ben", "cat"])
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        try ben.submit(try game.draw(ann), into: "Your guess")
        try ben.resign()
        for drawer in [cat, ann, cat] { try drawer.tap("Pass on") }
        #expect(
            ann.match?.outcomes == [
                ParleyOutcome(.won, place: 1, score: 1), .quit,
                ParleyOutcome(.placed, place: 2),
            ]
        )
        #expect(cat.screen.contains("ann won"))
    }

    /// Regression: all matches begin alike, and whoever had begun one could not begin the next.
    @Test func whoBeganAMatchBeginsTheNext() throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        _ = try game.draw(ann)
        try ben.resign()
        #expect(ann.match?.phase == .over)
        try ann.tap("New game")
        try ann.tap("Who wants to play?")
        try ben.tapBubble()
        try ben.tap("Join")
        try ann.tap("Start")
        let word = try game.draw(ann)
        try ben.submit(word, into: "Your guess")
        #expect(ann.screen.contains("ben guessed it: “\(word)”."))
    }

    // MARK: Words

    /// Nobody can read the word before it was guessed, not even in the message or the answers.
    @Test func theWordIsASecret() throws {
        let game = try DrawingTable(["ann", "ben"])
        let (ann, ben) = (game.players[0], game.players[1])
        // Short words are parts of others by chance.
        let word = "quixotic zebra"
        try ann.submit(word, into: "Your own word")
        try ann.draw(DrawingTable.line(40), on: "Paper")
        #expect(try game.word(ann) == word)
        let bubble = try #require(ben.bubbles.last)
        for text in [ben.screen, ben.transcript.joined(), bubble.url ?? "", "\(bubble)"] {
            #expect(!text.lowercased().contains(word))
        }
    }

    /// A drawer takes another word once, and the first one is shown then; or the next one draws.
    @Test func aWordIsGivenUp() throws {
        let game = try DrawingTable(["ann", "ben", "cat"])
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        let first = try game.draw(ann)
        try ben.submit("something", into: "Your guess")
        try ann.tap("Another word")
        try ann.tap("Back")
        #expect(try game.word(ann) == first)
        try ann.tap("Another word")
        try ann.submit("  My OWN word, which is rather long!! ", into: "Your own word")
        let second = try game.word(ann)
        #expect(second == "my own word which is rat")
        #expect(!ann.screen.contains("Another word"))
        // Guesses and lines belong to the word before.
        #expect(!ben.screen.contains("something"))
        #expect(game.strokes(ben)?.isEmpty == true)
        try ben.submit(first, into: "Your guess")
        #expect(cat.screen.contains("ben: not “\(first)”"))
        try ann.tap("Pass on")
        #expect(cat.screen.contains("It was “\(second)”. Nobody guessed it."))
        // Who has no idea passes on without a word.
        try ben.tap("Other words")
        try ben.tap("Draw it")
        #expect(ben.screen.contains("Write a word that you can draw."))
        try ben.tap("Pass on")
        #expect(cat.screen.contains("What will you draw?"))
        #expect(ann.bubbles.last?.layout?.caption == "ben passes on")
    }

    /// Whoever draws suggests a word to the next one, which nobody else reads or takes points for.
    @Test func aWordIsSuggestedToTheNextDrawer() throws {
        let game = try DrawingTable(["ann", "ben", "cat"], watching: ["dan"])
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        let (field, word) = ("A word for the next drawer", "quixotic zebra")
        let first = try game.draw(ann)
        try ann.submit(" ", into: field)
        #expect(ann.screen.contains("Write the word that you suggest."))
        try ann.submit("Ox", into: field)
        try ann.submit("Quixotic Zebra!", into: field)
        #expect(ann.screen.contains("You suggest “\(word)”. Only ben will read it."))
        try cat.submit(first, into: "Your guess")
        #expect(ben.screen.contains("ann suggests “\(word)”"))
        for player in [cat, game.players[3]] {
            let bubble = try #require(player.bubbles.last)
            for text in [player.screen, player.transcript.joined(), "\(bubble)"] {
                #expect(!text.lowercased().contains(word))
            }
            #expect(player.match?.parts.map(\.content) == [nil])
        }
        try ben.tap("suggested")
        #expect(try game.word(ben) == word)
        // Whoever knows the word does not guess it, and another program that does gets nothing.
        #expect(ann.screen.contains("You suggested this word. The others guess it."))
        #expect(cat.screen.contains("ben draws what ann suggested"))
        #expect(throws: HarnessError.self) { try ann.type(word, into: "Your guess") }
        let seal = URLComponents(string: try #require(ann.bubbles.last?.url))?.queryItems?
            .first { $0.name == "Seal" }?.value
        let answer = Data("1a\(try #require(seal))\n\(word)".utf8)
        ann.conversation?.parley?.answer(answer, in: MSMessage("?", in: game.session(of: ann)))
        game.table.settle()
        try cat.submit(word, into: "Your guess")
        #expect(ann.screen.contains("cat 4 · ann 1 · ben 1"))
        // A suggestion is for one turn, and its length is not that of the word.
        _ = try game.draw(cat)
        try cat.submit("ox", into: "A word for the next drawer")
        try cat.tap("Pass on")
        #expect(Set(try #require(ben.matchState?.parts).map(\.sealed.count)) == [128])
        _ = try game.draw(ann)
        try ann.tap("Pass on")
        #expect(ben.screen.contains("What will you draw?"))
        #expect(!ben.screen.contains("suggests"))
        for player in game.players { #expect(player.match?.violations == []) }
    }

    /// Of two, the one who suggests would be the only one to guess; nobody suggests for the end.
    @Test func nobodySuggestsWithoutAnotherToGuess() throws {
        let two = try DrawingTable(["ann", "ben"])
        _ = try two.draw(two.players[0])
        #expect(!two.players[0].screen.contains("Suggest"))
        let game = try DrawingTable(["ann", "ben", "cat", "dan"])
        for player in game.players.prefix(3) {
            _ = try game.draw(player)
            #expect(player.screen.contains("Suggest"))
            try player.tap("Pass on")
        }
        _ = try game.draw(game.players[3])
        #expect(!game.players[3].screen.contains("Suggest"))
    }

    /// Nobody is kept from guessing who suggested nothing, and who did has no points.
    @Test(arguments: [(1, 1, [1, 1]), (2, 2, [0, 1]), (2, 1, [0, 0])])
    func whoSuggestsIsToldRightly(suggester: Int, guesser: Int, faults: [Int]) throws {
        let names = ["ann", "ben", "cat"]
        let game = try DrawingTable(names, first: DrawingTable.free)
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        for player in [ann, ben] { try player.tap("Pass on") }
        _ = try game.draw(cat)
        try cat.submit("moat", into: "A word for the next drawer")
        try cat.tap("Pass on")
        let promise = ParleyPromise("moat")
        let seats = try #require(ann.match?.seats)
        func send(_ query: String, next: Int) {
            let message = MSMessage("?Turn=3&" + query, in: game.session(of: ann))
            ann.conversation?.parley?.setTurn([seats[next].participant], for: message)
            ann.conversation?.send(message)
            game.table.settle()
        }
        let old = try #require(ben.bubbles.last?.url)
        #expect(!old.contains("By="))
        send("Points=0,0,0&Seal=\(promise.seal)&By=\(suggester)", next: 0)
        #expect(ben.match?.violations.count == faults[0])
        let points = guesser == 1 ? "1,2,0" : "1,0,2"
        let shown = "Key=3a&Word=moat&Salt=\(promise.salt)&Was=\(promise.seal)"
        if faults[0] == 0 { send("Points=\(points)&\(shown)&Guesser=\(guesser)", next: 1) }
        #expect(ben.match?.violations.count == faults[1])
    }

    /// The apps of the others find out if a drawer shows another word than promised.
    @Test(arguments: [true, false])
    func anotherWordThanPromisedIsSeen(wasOpen: Bool) throws {
        let game = try DrawingTable(["ann", "ben"], first: DrawingTable.free)
        let (ann, ben) = (game.players[0], game.players[1])
        _ = try game.draw(ann)
        try ben.submit("a guess", into: "Your guess")
        if !wasOpen { ben.closeApp() }
        // The promise in the message is another one as well, so only who has seen it can tell.
        let other = ParleyPromise("moat")
        let items = [
            "Turn": "0", "Points": "0,0", "Key": "0a", "Word": other.text, "Salt": other.salt,
            "Was": other.seal,
        ]
        let query = items.map { "\($0)=\($1)" }.joined(separator: "&")
        let message = MSMessage("?" + query, in: game.session(of: ann))
        let seats = try #require(ann.match?.seats)
        ann.conversation?.parley?.setTurn([seats[1].participant], for: message)
        ann.conversation?.send(message)
        game.table.settle()
        if !wasOpen { try ben.tapBubble() }
        #expect(ben.screen.contains("It was “moat”."))
        #expect(ben.screen.contains("This is not the word that ann had promised."))
    }

    /// Points for a guess of the promised word only, and the turn is that of the next one.
    @Test(arguments: [
        ("?Turn=0&Points=9,0", 1), ("?Turn=0&Points=0,0", 0), ("?Turn=1&Points=0,0", 1),
        ("?Turn=0&Points=1,2&Key=0a&Word=moat&Salt=WORD&Guesser=1&Was=SEAL", 1), ("?", 1),
    ])
    func falsePointsDoNotCount(url: String, next: Int) throws {
        let game = try DrawingTable(["ann", "ben"], watching: ["cat"], first: DrawingTable.free)
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        _ = try game.draw(ann)
        let other = ParleyPromise("moat")
        let url = url.replacing("WORD", with: other.salt).replacing("SEAL", with: other.seal)
        let message = MSMessage(url, in: game.session(of: ann))
        let seats = try #require(ann.match?.seats)
        ann.conversation?.parley?.setTurn([seats[next].participant], for: message)
        ann.conversation?.send(message)
        game.table.settle()
        for player in [ben, cat] {
            #expect(player.match?.violations.map(\.participant) == [seats[0].participant])
            #expect(player.screen.contains("What is it?"))
        }
        game.table.pass(seconds: 121)
        try ben.claim()
        #expect(cat.match?.outcomes == [.lost, .won])
    }

    /// Nobody guesses the own word, and a drawer has a point only with a guesser.
    @Test(arguments: [
        ("1,0", "&Guesser=9"), ("1,0", ""), ("3,0", "&Guesser=0"), ("1,2", "&Guesser=1"),
    ])
    func pointsNeedAGuesser(points: String, guesser: String) throws {
        let game = try DrawingTable(["ann", "ben"], first: DrawingTable.free)
        let (ann, ben) = (game.players[0], game.players[1])
        let promise = ParleyPromise("moat")
        let seats = try #require(ann.match?.seats)
        func send(_ query: String, next: Int) {
            let message = MSMessage("?Turn=0&" + query, in: game.session(of: ann))
            ann.conversation?.parley?.setTurn([seats[next].participant], for: message)
            ann.conversation?.send(message)
            game.table.settle()
        }
        send("Points=0,0&Seal=\(promise.seal)", next: 0)
        let shown = "Key=0a&Word=moat&Salt=\(promise.salt)&Was=\(promise.seal)"
        send("Points=\(points)&\(shown)\(guesser)", next: 1)
        let isRight = guesser == "&Guesser=1"
        #expect(ben.match?.violations.count == (isRight ? 0 : 1))
        #expect(ben.screen.contains("What will you draw?") == isRight)
    }

    // MARK: Time

    /// The drawer's app ends the turn when the time is over; the others go on without who is away.
    @Test func theClockRunsOut() throws {
        let game = try DrawingTable(["ann", "ben", "cat"])
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        let word = try game.draw(ann)
        game.table.pass(seconds: 112)
        #expect(ben.screen.contains("Hurry"))
        game.table.pass(seconds: 10)
        game.table.settle()
        #expect(cat.screen.contains("It was “\(word)”. Nobody guessed it."))
        _ = try game.draw(ben)
        ben.closeApp()
        game.table.pass(seconds: 130)
        #expect(ann.screen.contains("The time is over"))
        try ann.tap("Go on without waiting")
        #expect(cat.screen.contains("What will you draw?"))
        // The third one never chooses a word, and the second round begins.
        game.table.pass(seconds: 130)
        try ann.tap("Go on without waiting")
        #expect(ann.screen.contains("What will you draw?"))
        // The last ones of all are away as well: then who was first ends the game.
        _ = try game.draw(ann)
        try cat.submit(try game.word(ann), into: "Your guess")
        for _ in 0..<2 {
            game.table.pass(seconds: 130)
            try ann.tap("Go on without waiting")
        }
        #expect(ann.match?.phase == .over)
        #expect(ann.screen.contains("cat 2 · ann 1 · ben 0"))
    }

    /// Whoever draws may close the app, or switch the machine off: guesses wait for the answer.
    @Test(arguments: [false, true])
    func guessesWaitForTheDrawer(machineWasOff: Bool) throws {
        let game = try DrawingTable(["ann", "ben", "cat"])
        let (ann, ben, cat) = (game.players[0], game.players[1], game.players[2])
        let word = try game.draw(ann)
        machineWasOff ? ann.goAway() : ann.closeApp()
        try cat.submit("a thing", into: "Your guess")
        try ben.submit(word, into: "Your guess")
        // Only the drawer's app knows which one is right.
        #expect(cat.screen.contains("cat: “a thing”?"))
        #expect(cat.screen.contains("ben: “\(word)”?"))
        if machineWasOff { ann.comeBack() }
        try ann.tapBubble()
        game.table.settle()
        #expect(cat.screen.contains("ben guessed it: “\(word)”."))
        #expect(cat.screen.contains("ben 2 · ann 1 · cat 0"))
    }

    /// Where apps may not send by themselves, the drawer presses a button instead.
    @Test func aStrictHostIsAsked() throws {
        let game = try DrawingTable(["ann", "ben"], settings: .strict)
        let (ann, ben) = (game.players[0], game.players[1])
        let word = try game.draw(ann)
        try ben.submit(word, into: "Your guess")
        #expect(ben.screen.contains("ben: “\(word)”?"))
        try ann.tap("Show the word")
        #expect(ben.screen.contains("You guessed it: “\(word)”."))
    }
}
