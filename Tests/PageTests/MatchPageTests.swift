import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// A match of tic-tac-toe on three pages: the owner's, and those of two guests.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedHouse
)
struct MatchPageTests {
    /// Offered, joined, watched, started, won, played again, and given up.
    @Test func twoPlayAndOneWatches() async throws {
        let house = try #require(GuestHouse.current)
        let (ada, mia, tom) = (house.owner, house.phone, house.other)
        let evening = try await house.begin()
        try await evening.join(mia, as: "Mia")
        try await evening.join(tom, as: "Tom")
        try await ada.openApp("Tic-tac-toe")
        try await ada.find("button", "Who wants to play?").click()
        for page in [tom, mia] {
            let card = try await page.find("article", from: "Tic-tac-toe: 1 free")
            try await eventually("the seats on the card") {
                try card.text.contains("1 free seat")
            }
            if page === tom { try await tom.inspect("match-card", sizes: [(320, 568)]) }
            try await page.find("button", page === mia ? "Join" : "Watch", in: card).click()
        }
        try await mia.panel("Waiting for Ada to start")
        try await tom.inspect("match-offer", sizes: [(390, 844)])
        try await tom.find("button", "Watch").click()
        try await ada.find("button", "Start").click()
        try await tom.panel("You watch")
        try await tom.find("button", "Join the next one").click()
        try await ada.panel("Tom joins next")

        try await play([1, 4, 2, 5, 3], ada, mia)
        try await ada.panel("You win")
        for page in [ada, mia, tom] { try await page.panel("Ada 1 · Mia 0") }
        try await tom.inspect("match-over", sizes: [(390, 844)])
        #expect(try tom.present("button", "Rematch") == nil)
        // One line stands for all that the game has left, until somebody wants to see them.
        let lines = "document.querySelectorAll('.summary')"
        try await eventually("one line") {
            try tom.run("return [...\(lines)].map(({ textContent }) => textContent).join()")
                .text?.wholeMatch(of: /[^,]*, and \d+ more/) != nil
        }
        _ = try tom.run("\(lines)[0].click()")
        try await eventually("all lines") { try tom.run("return \(lines).length").number ?? 0 > 5 }

        // Who has waited sits down by himself, and the other one may play as well.
        try await mia.find("button", "New game for all").click()
        try await tom.panel("Waiting for Mia to start")
        try await mia.find("button", "Start").click()
        try await play([5, 1], mia, tom)
        try await mia.find("button", "Give up").click()
        try await mia.find("button", "Yes, give up").click()
        for page in [mia, tom] { try await page.panel("Tom 1") }

        // Everybody is one seat further, so Tom begins.
        try await tom.find("button", "Rematch").click()
        try await mia.find("button", "Join").click()
        try await tom.panel("Your turn: you play X")
    }

    /// Each sees the own dice until somebody doubts, and then all see all.
    @Test func diceLieUnderTheCups() async throws {
        let house = try #require(GuestHouse.current)
        let (ada, mia) = (house.owner, house.phone)
        let evening = try await house.begin()
        try await evening.join(mia, as: "Mia")
        try await ada.openApp("Liar's dice")
        try await ada.find("button", "Who wants to play?").click()
        let card = try await mia.find("article", from: "Liar's dice")
        try await mia.find("button", "Join", in: card).click()
        try await ada.find("button", "Start").click()
        try await ada.find("button", "Roll the dice").click()
        let hidden = "5 dice under the cup"
        _ = try await ada.find("image", hidden)
        try await ada.find("button", "Call").click()
        try await mia.panel("The call is 1 one. Your turn", of: "Liar's dice")
        _ = try await mia.find("image", hidden)
        let own = try mia.dice().filter { $0 != hidden }
        #expect(own.count == 1)
        try await mia.inspect("dice", sizes: [(390, 844)])
        try await mia.find("button", "Liar!").click()
        try await ada.panel("loses a die", of: "Liar's dice")
        try await eventually("all dice") {
            try mia.dice() == ada.dice() && !mia.dice().contains(hidden)
        }
        #expect(try ada.dice().last == own.first)
    }

    private func play(_ squares: [Int], _ first: Browser, _ second: Browser) async throws {
        for (move, square) in squares.enumerated() {
            let (page, other) = move.isMultiple(of: 2) ? (first, second) : (second, first)
            try await page.find("button", "Square \(square), free").click()
            try await page.sendDraft()
            let mark = move.isMultiple(of: 2) ? "X" : "O"
            _ = try await other.find("button", "Square \(square), \(mark)")
        }
    }
}

extension Browser {
    /// Waits for a text in the panel of the game.
    fileprivate func panel(_ text: String, of game: String = "Tic-tac-toe") async throws {
        try await eventually(text) {
            try await find("region", game).text
                .replacing(/[\u{2068}\u{2069}]/, with: "").contains(text)
        }
    }
}

extension Browser {
    /// The dice of each player, as their pictures say them.
    fileprivate func dice() throws -> [String] {
        let script = "return [...document.querySelectorAll('.panel img')].map(({ alt }) => alt)"
        return try run(script).array?.compactMap(\.text).filter { !$0.isEmpty } ?? []
    }
}
