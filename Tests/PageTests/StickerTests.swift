import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Stickers on messages, on two pages: one places them with the keyboard, or by dragging, and the
/// other sees them at the same place.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair(program: "page-apps")
)
struct StickerTests {
    @Test func isPlacedByKeyboardAndPeeledOff() async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        try await write("Look at this", on: alice)
        try await write("and at this", on: alice)
        try await stage(on: alice)
        try await alice.find("button", "Place on a message").type(Key.enter)
        // The last message is chosen first, and the one before it is above.
        let last = try await alice.find("button", "Put the sticker on and at this")
        try await eventually("the focus") { try alice.isFocused(last) }
        try last.type(Key.up)
        let target = try await alice.find("button", "Put the sticker on Look at this")
        try await eventually("the focus") { try alice.isFocused(target) }
        try target.type(Key.enter)
        try await said("50 % from the left, 50 % down", on: alice)
        try await alice.inspect("sticker-being-placed", sizes: [(390, 844), (1_440, 900)])
        try alice.resize(width: 1_440, height: 900)
        try target.type(Key.right + Key.right + Key.down)
        try await said("54 % from the left, 52 % down", on: alice)
        try target.type(Key.escape)
        _ = try await alice.find("button", "Place on a message")
        try await eventually("the end of placing") {
            try alice.present("button", "Put the sticker on Look at this") == nil
        }
        try await alice.find("button", "Place on a message").type(Key.enter)
        try await alice.find("button", "Put the sticker on and at this").type(Key.up)
        let again = try await alice.find("button", "Put the sticker on Look at this")
        try await eventually("the focus") { try alice.isFocused(again) }
        try again.type(Key.enter + Key.left + Key.up + Key.up)
        try again.type(Key.enter)

        let expected = [0.48, 0.46]
        for page in [alice, bob] {
            let article = try await page.find("article", "Look at this")
            _ = try await page.find("image", "A golden star", in: article)
            try await eventually("the picture") {
                let script = "return document.querySelector('.placed img')?.naturalWidth"
                return try page.run(script).number == 96
            }
            let box = try box(on: page)
            for axis in 0...1 {
                #expect(abs(box.middle[axis] - expected[axis] * box.size[axis]) <= 1.5)
            }
        }
        try await alice.inspect("sticker-alice", sizes: [(1_440, 900)])
        try await bob.inspect("sticker-bob", sizes: [(390, 844)])
        #expect(try bob.present("button", "Peel off") == nil)
        try await alice.find("button", "Peel off").type(Key.enter)
        for page in [alice, bob] {
            try await eventually("the end of the sticker") {
                try page.present("image", "A golden star") == nil
            }
            _ = try await page.find("article", "Look at this")
        }
    }

    @Test(arguments: [Pointer.mouse, .touch])
    func isDraggedOntoAMessage(with pointer: Pointer) async throws {
        let pair = try #require(PagePair.current)
        try await pair.begin()
        try await write("Drop it here, where there is some space", on: pair.alicesPage)
        try await stage(on: pair.alicesPage)
        let draft = try await pair.alicesPage.find("region", "Draft")
        try await pair.alicesPage.inspect("sticker-staged", sizes: [(390, 844), (1_440, 900)])
        try pair.alicesPage.resize(width: 1_440, height: 900)
        let picture = try await pair.alicesPage.find("image", "A golden star", in: draft)
        let text = "Drop it here, where there is some space"
        let article = try await pair.alicesPage.find("article", text)
        try pair.alicesPage.drag(picture, onto: article, ".stuck", with: pointer)
        for page in [pair.alicesPage, pair.bobsPage] {
            let article = try await page.find("article", text)
            _ = try await page.find("image", "A golden star", in: article)
            let box = try box(on: page)
            for axis in 0...1 { #expect(abs(box.middle[axis] - box.size[axis] / 2) <= 2) }
        }
        try await eventually("the empty field") {
            try pair.alicesPage.present("region", "Draft") == nil
        }
    }

    // MARK: Helpers

    private enum Key {
        static let enter = "\u{E007}"
        static let escape = "\u{E00C}"
        static let left = "\u{E012}"
        static let up = "\u{E013}"
        static let right = "\u{E014}"
        static let down = "\u{E015}"
    }

    private func write(_ text: String, on page: Browser) async throws {
        try await page.find("textbox", "Message").type(text + Key.enter)
        _ = try await page.find("article", text)
    }

    private func stage(on page: Browser) async throws {
        try await page.find("button", "Apps").click()
        let drawer = try await page.find("region", "Apps")
        try await page.find("button", "Stickers", in: drawer).click()
        let panel = try await page.find("region", "Stickers")
        try await page.find("button", "Golden star", in: panel).click()
        try await page.find("button", "Close", in: panel).click()
    }

    private func said(_ text: String, on page: Browser) async throws {
        let script = """
            return [...document.querySelectorAll("[role=status]")].map((each) => each.textContent)
                .join();
            """
        try await eventually(text) { try page.run(script).text?.contains(text) == true }
    }

    private struct Box {
        /// The middle of the sticker, from the upper left corner of the bubble.
        var middle: [Double]
        var size: [Double]
    }

    private func box(on page: Browser) throws -> Box {
        let script = """
            const image = document.querySelector(".placed img").getBoundingClientRect();
            const bubble = document.querySelector(".placed").parentNode.firstElementChild
                .getBoundingClientRect();
            return [(image.left + image.right) / 2 - bubble.left,
                (image.top + image.bottom) / 2 - bubble.top, bubble.width, bubble.height];
            """
        let numbers = try page.run(script).array?.compactMap(\.number) ?? []
        try #require(numbers.count == 4)
        return Box(middle: Array(numbers[..<2]), size: Array(numbers[2...]))
    }
}
