import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import SampleIceCreamBuilder
import Testing

/// Sundaes that several people build, and the shelf of finished ones.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct IceCreamBuilderTests {
    private let table: Harness
    private let ann: Player
    private let ben: Player

    init() throws {
        table = Harness(apps: [IceCreamBuilder.self], participants: ["ann", "ben", "cat"])
        ann = try table["ann"]
        ben = try table["ben"]
    }

    /// Opens the latest sundae, adds a part, and sends it.
    private func add(_ part: String, _ player: Player) throws {
        try player.tapBubble()
        try player.tap(part)
        try player.send()
    }

    /// A sundae that ann begins and sends.
    private func begin() throws {
        try ann.open()
        try ann.tap("Add a sundae")
        try ann.tap("Waffle bowl")
        try ann.send()
    }

    @Test func threeBuildOneInTurns() throws {
        let cat = try table["cat"]
        try ann.open()
        #expect(ann.style == .compact)
        try ann.tap("Add a sundae")
        #expect(ann.style == .expanded)
        #expect(ann.screen.contains("Choose a base"))
        try ann.tap("Waffle bowl")
        #expect(ann.screen.contains("Press Send"))
        #expect(ben.bubbles.isEmpty)
        try ann.send()
        #expect(ben.transcript == ["ann: Choose the scoops"])
        #expect(ben.bubbles.last?.layout?.subcaption == "ann added: Waffle bowl")

        try ben.tapBubble()
        #expect(ben.style == .expanded)
        #expect(ben.screen.contains("Choose the scoops"))
        #expect(ben.screen.contains("The sundae: Waffle bowl"))
        try ben.tap("Mint forest")
        try ben.send()
        // The screen of somebody who looks on follows.
        #expect(ann.screen.contains("Choose a topping"))

        try add("One cherry", cat)
        for player in [ann, ben, cat] {
            #expect(player.screen.contains("A sundae is ready!"))
            #expect(player.screen.contains("Waffle bowl · Mint forest · One cherry"))
            #expect(player.bubbles.filter { $0.kind == .message }.count == 1)
        }
        #expect(ben.transcript.last == "cat: A sundae is ready!")
        let url = "?Base=bowl&Scoops=forest&Topping=cherry"
        #expect(ann.bubbles.last?.url == url)
    }

    @Test func partsComeInOrder() throws {
        try ann.open()
        try ann.tap("Add a sundae")
        #expect(!ann.screen.contains("[Sunrise]"))
        #expect(!ann.screen.contains("[Sprinkles]"))
        try ann.tap("Sundae glass")
        // Nothing is added to a draft that is not sent.
        #expect(!ann.screen.contains("[Sunrise]"))
        try ann.send()
        #expect(ann.screen.contains("[Sunrise]"))
        #expect(!ann.screen.contains("[Sprinkles]"))
    }

    @Test func aDeletedPartIsTakenBack() throws {
        try begin()
        try ann.tap("Sunrise")
        ann.deleteDraft()
        #expect(ann.screen.contains("Choose the scoops"))
        try ann.tap("Midnight")
        try ann.send()
        #expect(ann.screen.contains("Choose a topping"))
    }

    @Test func somebodyWasFaster() throws {
        try begin()
        try ann.tap("Sunrise")
        try add("Midnight", ben)
        #expect(ann.screen.contains("Somebody was faster"))
        #expect(ann.screen.contains("The sundae: Waffle bowl, Midnight"))
        ann.deleteDraft()
        #expect(ann.screen.contains("Choose a topping"))
        #expect(!ann.screen.contains("Somebody was faster"))
    }

    @Test func theShelfSurvivesRestartsAndIsEachOnesOwn() throws {
        try begin()
        try add("Sunrise", ben)
        try add("Sprinkles", ben)
        ann.collapse()
        #expect(ann.screen.contains("A sundae: Waffle bowl, Sunrise, Sprinkles"))
        ann.goAway()
        ann.comeBack()
        try ann.open()
        #expect(ann.screen.contains("A sundae: Waffle bowl, Sunrise, Sprinkles"))
        // The next one is a session of its own, and comes first.
        try ann.tap("Add a sundae")
        try ann.tap("Paper cup")
        try ann.send()
        #expect(ann.bubbles.filter { $0.kind == .message }.count == 2)
        #expect(ann.bubbles.last?.layout?.caption == "Choose the scoops")
    }

    /// A sundae that was finished while the app was closed is on the shelf when it is opened.
    @Test func aSundaeThatIsFinishedWhileOneIsAway() throws {
        try begin()
        ann.closeApp()
        try add("Sunrise", ben)
        try add("Sprinkles", ben)
        try ann.open()
        #expect(ann.screen.contains("A sundae: Waffle bowl, Sunrise, Sprinkles"))
    }

    @Test func aFinishedSundaeIsASticker() throws {
        try begin()
        try add("Sunrise", ben)
        try add("Fresh fruit", ben)
        try ben.tap("Send it as a sticker")
        #expect(ben.stickers.map(\.description) == ["A sundae: Waffle bowl, Sunrise, Fresh fruit"])
        try ben.send()
        let sticker = try #require(ann.bubbles.last)
        #expect(sticker.picture?.type == "image/png")
        #expect(sticker.accessibilityLabel == "A sundae: Waffle bowl, Sunrise, Fresh fruit")

        ann.collapse()
        try ann.tap("A sundae: Waffle bowl, Sunrise, Fresh fruit")
        try ann.send()
        #expect(ben.bubbles.filter { $0.picture?.type == "image/png" }.count == 2)
    }

    @Test func aFinishedSundaeIsAPicture() throws {
        try begin()
        try add("Sunrise", ben)
        try add("Fresh fruit", ben)
        try ben.tap("Send a picture")
        try ben.send()
        let picture = try #require(ann.bubbles.last)
        #expect(picture.picture?.type == "image/png")
        #expect(picture.layout?.caption == "Waffle bowl, Sunrise, Fresh fruit.png")
    }

    @Test(arguments: [
        "?", "?Base=", "?Base=brick", "?Scoops=forest", "?Base=bowl&Topping=cherry",
        "?Base=bowl&Base=brick", "?Base=bowl&Scoops", "data:,x",
    ])
    func whatIsNoSundaeIsNone(url: String) throws {
        try ben.open()
        ann.conversation?.send(MSMessage(url))
        try ann.open()
        ann.conversation?.send(MSMessage(url, in: MSSession()))
        table.settle()
        #expect(ben.screen.contains("Add a sundae"))
        try ben.tapBubble()
        #expect(ben.screen.contains("no sundae in this message"))
        // One can begin a sundae all the same.
        try ben.tap("Add a sundae")
        #expect(ben.screen.contains("Choose a base"))
    }
}
