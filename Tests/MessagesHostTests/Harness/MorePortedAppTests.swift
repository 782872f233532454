import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import PortedApps
import TestSupport
import Testing

/// Five more root controllers as they are written for iOS, compiled unchanged in mode 5 and used by
/// two.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct MorePortedAppTests {
    /// A sticker browser as a child; a press puts a sticker into the input field.
    @Test func stickerPack() async throws {
        let directory = try TestDirectory()
        for name in ["wave.png", "heart.png"] {
            _ = try directory.write(name, Data(Pictures.png(width: 8, height: 6)))
        }
        StickerPackViewController.folder = directory.url
        let (table, ann, ben) = try Self.table(StickerPackViewController.self)
        try ann.open()
        let grid = try #require(ann.tree?.nodes.first { $0.content == .grid(columns: 4) })
        #expect(grid.children.map(\.accessibilityLabel) == ["a wave", "a heart"])
        try ann.tap("a heart")
        try ann.send()
        #expect(ben.bubbles.last?.line == "a heart")
        await table.finishMainQueue()
    }

    /// `dismiss` and then `insert` in one turn, and a wait for the main queue on the main queue.
    @Test func checkers() async throws {
        let (table, ann, ben) = try Self.table(CheckersViewController.self)
        try ann.open(nil, .expanded)
        try ann.tap("Move on")
        #expect(ann.style == nil, "it was dismissed")
        try ann.send()
        try ben.tapBubble()
        #expect(ben.screen.contains("Square 1"))
        try ben.tap("Move on")
        try ben.send()
        #expect(ann.bubbles.last?.url == "?position=2")
        await table.finishMainQueue()
    }

    /// The first of the others although there are none, a logger, and a timer.
    @Test func filmPoll() async throws {
        let table = Harness(apps: [FilmPollViewController.self], participants: ["ann"])
        let ann = try table["ann"]
        try ann.open()
        try await eventually("the end of the countdown") {
            await table.finishMainQueue()
            return ann.screen.contains("Vote now")
        }
        try ann.tap("Stalker")
        try ann.send()
        let layout = try #require(ann.bubbles.last?.layout)
        #expect(layout.caption == "ann voted")
        #expect(layout.subcaption == "Also asked: Someone")
        try ann.tapBubble()
        #expect(ann.screen.contains("Stalker: 1"))
    }

    /// A controller for each style, an alert whose answer inserts and dismisses.
    @Test func seaBattle() async throws {
        let (table, ann, ben) = try Self.table(SeaBattleViewController.self)
        try ann.open()
        try ann.tap("Begin")
        #expect(ann.style == .expanded)
        try ann.tap("square 0")
        try ann.tap("Fire")
        #expect(ann.style == nil)
        try ann.send()
        try ben.tapBubble()
        try ben.tap("square 2")
        try ben.tap("Fire")
        try ben.send()
        #expect(ann.bubbles.last?.line == "Sunk!")
        #expect(
            ann.bubbles.last?.url
                == "www.seabattle.example/play?Ship_Location=2&Shot_0=0&Shot_1=2"
        )
        await table.finishMainQueue()
    }

    /// `await send`, a notification that is delivered on the main queue, and a web page.
    @Test func doodle() async throws {
        let (table, ann, ben) = try Self.table(DoodleViewController.self)
        try ann.open()
        try ann.draw(
            ParleyView.Stroke(points: [CGPoint(x: 1, y: 1), CGPoint(x: 90, y: 90)]),
            on: "paper"
        )
        try ann.tap("Send")
        try await eventually("the app knows that it was sent") {
            await table.finishMainQueue()
            return ann.screen.contains("Sent")
        }
        let bubble = try #require(ben.bubbles.last)
        #expect(bubble.url == "?strokes=1")
        #expect(bubble.layout?.imageTitle == "A doodle")
        try ann.tap("About")
        let link = ParleyView.Content.text("https://doodle.example/about", .body)
        #expect(ann.tree?.dialogs.last?.children.map(\.content).contains(link) == true)
        try ann.tap("Close")
        #expect(ann.tree?.dialogs.isEmpty == true)
    }

    private static func table(
        _ app: MSMessagesAppViewController.Type
    ) throws -> (Harness, Player, Player) {
        let harness = Harness(apps: [app], participants: ["ann", "ben"])
        return (harness, try harness["ann"], try harness["ben"])
    }
}
