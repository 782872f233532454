import Messages
import MessagesHost
import MessagesTesting
import PortedApps
import TestSupport
import Testing

/// Four root controllers as they are written for iOS, compiled unchanged in mode 5 and used by two.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct PortedAppTests {
    /// Children from a storyboard, one for each style; `dismiss` in a completion handler.
    @Test func potluck() async throws {
        Storyboards.register()
        let (table, ann, ben) = try Self.table(PotluckViewController.self)
        try ann.open()
        try ann.tap("Bring something")
        #expect(ann.style == .expanded)
        try ann.tap("Salad")
        #expect(ann.style == nil, "the handler dismissed it")
        try ann.send()
        try ben.tapBubble()
        #expect(ben.screen.contains("Salad"))
        try ben.tap("Soup")
        try ben.send()
        #expect(ann.bubbles.last?.url == "?dish=Salad&dish=Soup")
        try ann.tapBubble()
        ann.collapse()
        #expect(ann.screen.contains("Bring something"))
        let root = try #require(ann.controller(PotluckViewController.self))
        #expect(root.children.count == 1)
        await table.finishMainQueue()
    }

    /// `send` with a method as its handler, which asks for another style.
    @Test func coinToss() async throws {
        let (table, ann, ben) = try Self.table(CoinTossViewController.self)
        try ann.open()
        try ben.open()
        #expect(ann.screen.contains("Laid out 1 times"))
        try ann.tap("Flip")
        #expect(ann.screen.contains("you sent heads"))
        #expect(ann.style == .compact, "expanded by the tap, compact by the handler")
        #expect(ann.screen.contains("Laid out 3 times"))
        #expect(ben.screen.contains("heads"))
        #expect(ben.bubbles.last?.url == "www.cointoss.example/?side=heads")
        await table.finishMainQueue()
    }

    /// A notification on a thread, `OperationQueue.main`, and a timer.
    @Test func trivia() async throws {
        let (table, ann, ben) = try Self.table(TriviaViewController.self)
        try ann.open()
        try await eventually("the question") {
            await table.finishMainQueue()
            return ann.style == .expanded && ann.screen.contains("octopus")
        }
        try ann.tap("Ask the others")
        #expect(ann.style == .compact)
        try ann.send()
        try ben.tapBubble()
        try ben.tapBubble()
        #expect(ben.screen.contains("octopus"))
    }

    /// Containment and `dismiss` on a queue of the app's own.
    @Test func playlist() async throws {
        let (table, ann, ben) = try Self.table(PlaylistViewController.self)
        try ann.open()
        try await eventually("the songs") {
            await table.finishMainQueue()
            return ann.screen.contains("So What")
        }
        try ann.tap("So What")
        try await eventually("the app is closed") {
            await table.finishMainQueue()
            return ann.style == nil
        }
        try ann.send()
        #expect(ben.bubbles.last?.line == "ann")
        try ben.tapBubble()
        try await eventually("the songs") {
            await table.finishMainQueue()
            return ben.screen.contains("Blue Train")
        }
        #expect(ben.style == .expanded)
    }

    private static func table(
        _ app: MSMessagesAppViewController.Type
    ) throws -> (Harness, Player, Player) {
        let harness = Harness(apps: [app], participants: ["ann", "ben"])
        return (harness, try harness["ann"], try harness["ben"])
    }
}
