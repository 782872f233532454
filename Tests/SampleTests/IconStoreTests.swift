import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleIconStore
import Testing

/// Items that are shown to others, and their pages.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct IconStoreTests {
    private let table: Harness
    private let ann: Player
    private let ben: Player

    init() throws {
        table = Harness(apps: [IconStore.self], participants: ["ann", "ben", "cat"])
        ann = try table["ann"]
        ben = try table["ben"]
    }

    private static let foxWords = "For a folder that nobody should get into."

    @Test func pickingStagesAMessageWithAWebPage() throws {
        try ann.open()
        try ann.tap("Fox")
        #expect(ann.style == .compact)
        #expect(ann.screen.contains("Press Send"))
        // What is in the input field is marked, and can be picked again.
        try ann.tap("Fox, picked")
        #expect(ben.bubbles.isEmpty)
        try ann.send()
        try ann.tap("Fox")
        ann.deleteDraft()
        let bubble = try #require(ben.bubbles.last)
        #expect(bubble.layout?.caption == "Fox")
        #expect(
            bubble.layout?.subcaption
                == "For a folder that nobody should get into. It will look innocent."
        )
        #expect(bubble.picture != nil)
        let url = try #require(bubble.url)
        #expect(url.hasPrefix("https://example.com/icons?Item=fox&Name=Fox&Words="))
    }

    @Test func theItemOpensExpandedOnBothSides() throws {
        try ann.open()
        try ann.tap("Fox")
        try ann.send()
        ann.closeApp()
        // The app is closed on both sides.
        for player in [ann, ben, try table["cat"]] {
            try player.tapBubble()
            #expect(player.style == .expanded)
            #expect(player.screen.contains(Self.foxWords))
            // Collapsing closes the page.
            player.collapse()
            #expect(player.style == .compact)
            #expect(!player.screen.contains(Self.foxWords))
            #expect(player.screen.contains("Pick one to show it"))
        }
    }

    @Test func anotherItemIsOpenedByTappingItsMessage() throws {
        try ann.open()
        try ann.tap("Fox")
        try ann.send()
        try ann.tap("Moon")
        try ann.send()
        // Each item is a message of its own.
        #expect(ben.transcript == ["ann: Fox", "ann: Moon"])
        try ben.tapBubble("Moon")
        #expect(ben.screen.contains("Comes with three stars"))
        try ben.tapBubble("Fox")
        #expect(ben.screen.contains(Self.foxWords))
        try ben.tap("All icons")
        try ben.tap("Whale")
        #expect(ben.screen.contains("Large. Polite."))
        try ben.tap("Show the others")
        try ben.send()
        #expect(ann.transcript.last == "ben: Whale")
    }

    @Test func aRemovedItemIsNotSent() throws {
        try ann.open()
        try ann.tap("Mushroom")
        ann.deleteDraft()
        #expect(!ann.screen.contains("Press Send"))
        #expect(ben.bubbles.isEmpty)
    }

    @Test func itemsSurviveARestart() throws {
        try ann.open()
        try ann.tap("Fox")
        try ann.send()
        ben.goAway()
        ben.comeBack()
        try ben.tapBubble()
        #expect(ben.screen.contains(Self.foxWords))
    }

    /// An item of another edition of the store is shown with what the message says.
    @Test func anUnknownItemIsShownAsItIs() throws {
        try ann.open()
        let url = "https://example.com/icons?Item=owl&Name=Owl&Words=Wise."
        ann.conversation?.send(MSMessage(url))
        table.settle()
        try ben.tapBubble()
        #expect(ben.screen.contains("# Owl"))
        #expect(ben.screen.contains("Wise."))
    }

    @Test(arguments: [
        "?", "data:,x", "?Item=fox", "https://example.com/icons?", "https://example.com/icons?Item",
        "https://example.com/icons?Item=owl", "https://example.org/icons?Item=fox",
        "javascript:alert(1)",
    ])
    func whatIsNoItemIsNone(url: String) throws {
        try ben.open()
        try ann.open()
        ann.conversation?.send(MSMessage(url))
        table.settle()
        try ben.tapBubble()
        #expect(ben.screen.contains("The store has no such item."))
        #expect(ben.screen.contains("Fox"))
    }
}
