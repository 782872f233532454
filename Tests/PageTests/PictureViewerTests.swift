import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Pictures of a conversation are seen over the whole window, one after the other.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct PictureViewerTests {
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    /// Sends pictures of those sizes, each named by its width, and waits for them.
    private func send(_ sizes: [(width: Int, height: Int)]) async throws {
        let folder = try TestDirectory()
        for size in sizes {
            let data = try alice.drawn(width: size.width, height: size.height)
            try alice.first("input[type=file]").type(try folder.write("\(size.width).png", data))
            try await alice.find("button", "Send").click()
            _ = try await bob.find("button", "Show \(size.width).png")
        }
    }

    private func closed(on page: Browser) async throws {
        try await eventually("the end of the picture") {
            try page.run("return document.querySelector('.viewer') === null") == true
        }
    }

    @Test func aTapShowsAPictureAndArrowsLeadToTheOthers() async throws {
        try await send([(40, 30), (3_000, 900), (300, 2_000)])
        try await bob.say("and a text")
        let opener = try await bob.find("button", "Show 3000.png")
        try opener.click()
        let viewer = try await bob.find("dialog", "3000.png")
        _ = try await bob.find("image", "3000.png", in: viewer)
        let inside = """
            const image = document.querySelector(".viewer-picture");
            const box = image.getBoundingClientRect();
            return image.naturalWidth > 0 && box.left >= 0 && box.right <= innerWidth
                && box.top >= 0 && box.bottom <= innerHeight;
            """
        try await eventually("the whole picture") { try bob.run(inside) == true }
        try await bob.inspect("picture", sizes: [(320, 568), (390, 844), (1_440, 900)])
        let save = try await bob.find("link", "Save", in: viewer)
        #expect(try save.attribute("download") == "3000.png")

        try bob.press(.right)
        _ = try await bob.find("dialog", "300.png")
        try await eventually("the whole high picture") { try bob.run(inside) == true }
        #expect(try bob.present("button", "Later picture") == nil)
        // Keys that come faster than pictures are drawn count each; one too many does nothing.
        _ = try bob.run(
            """
            for (const key of ["ArrowRight", "ArrowLeft", "ArrowLeft"])
                document.activeElement.dispatchEvent(
                    new KeyboardEvent("keydown", { key, bubbles: true }));
            """
        )
        _ = try await bob.find("dialog", "40.png")
        #expect(try bob.present("button", "Earlier picture") == nil)

        // Keys work although the button that had the focus is gone.
        try await bob.find("button", "Later picture").click()
        _ = try await bob.find("dialog", "3000.png")
        try await bob.find("button", "Earlier picture").click()
        _ = try await bob.find("dialog", "40.png")
        try bob.press(.right)
        _ = try await bob.find("dialog", "3000.png")
        try bob.press(.escape)
        try await closed(on: bob)
        #expect(try bob.isFocused(opener))
    }

    @Test func aTapBesideThePictureClosesIt() async throws {
        try await send([(40, 30)])
        try await bob.find("button", "Show 40.png").click()
        let viewer = try await bob.find("dialog", "40.png")
        try await bob.find("image", "40.png", in: viewer).click()
        #expect(try bob.present("dialog", "40.png") != nil)
        // The middle of what is around the picture is the picture, so the point is a corner.
        let corner = "document.elementFromPoint(innerWidth - 12, innerHeight - 12).click()"
        _ = try bob.run(corner)
        try await closed(on: bob)
    }

    /// A tap on the card of an app opens the app, whatever picture it has.
    @Test func picturesOfAppsAreNotOpened() async throws {
        try await alice.openApp("Tic-tac-toe")
        try await alice.find("button", "Square 1, free").click()
        try await alice.sendDraft()
        let card = try await bob.find("article", from: "Tic-tac-toe: 1 X")
        _ = try await bob.find("button", "Open", in: card)
        #expect(try bob.run("return document.querySelector('.photo-open') === null") == true)
    }
}

extension Browser {
    /// A PNG of that size with a few lines, as the browser makes it.
    func drawn(width: Int, height: Int) throws -> Data {
        let script = """
            const area = document.createElement("canvas");
            [area.width, area.height] = arguments;
            const context = area.getContext("2d");
            context.fillStyle = "#2b5fa8";
            context.fillRect(0, 0, area.width, area.height);
            context.fillStyle = "#f0c060";
            context.fillRect(area.width / 4, area.height / 4, area.width / 2, area.height / 2);
            return area.toDataURL("image/png").split(",")[1];
            """
        let text = try run(script, .number(Double(width)), .number(Double(height))).text ?? ""
        return Data(base64Encoded: text) ?? Data()
    }
}
