import Foundation
import Glibc
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Files are dropped onto a conversation as from a window of files, and pictures are pasted.
@Suite(
    .serialized,
    .enabled(if: BrowserDriver.isInstalled || geteuid() == 0),
    .timeLimit(.minutes(5)),
    .sharedPair
)
struct DropTests {
    private let pair: PagePair
    private let alice: Browser
    private let bob: Browser

    init() async throws {
        pair = try #require(PagePair.current)
        try await pair.begin()
        (alice, bob) = (pair.alicesPage, pair.bobsPage)
    }

    /// Drags files over the middle of an element.
    private func drag(_ files: [String], _ kinds: String..., over selector: String) throws {
        let script = """
            const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
            """
        let point = try alice.run(script, .text(selector)).array ?? []
        try #require(point.count == 2)
        let data: JSONValue = [
            "items": [], "files": .array(files.map { .text($0) }), "dragOperationsMask": 1,
        ]
        for kind in kinds {
            try alice.devTools(
                "Input.dispatchDragEvent",
                ["type": .text(kind), "x": point[0], "y": point[1], "data": data]
            )
        }
    }

    private var isFrameSeen: Bool {
        get throws {
            try alice.run("return document.querySelector('.drop-frame') !== null") == true
        }
    }

    @Test func filesAreDroppedOntoAConversationAndFoldersAreNot() async throws {
        let folder = try TestDirectory()
        let paths = [
            try folder.write("one.txt", Data("1\n".utf8)), folder.path("games"),
            try folder.write("two.txt", Data("2\n".utf8)),
        ]
        try FileManager.default.createDirectory(
            atPath: folder.path("games"),
            withIntermediateDirectories: false
        )
        try drag(paths, "dragEnter", "dragOver", over: ".log")
        try await eventually("the frame") { try isFrameSeen }
        try alice.picture("drop-frame")
        // Files that leave the window take the frame with them.
        try await eventually("no frame") { try !isFrameSeen }
        try drag(paths, "dragEnter", "dragOver", "drop", over: ".log")
        let draft = try await alice.find("region", "Draft")
        for name in ["one.txt", "two.txt"] {
            _ = try await alice.find("button", "Remove \(name)", in: draft)
        }
        try await eventually("why the folder was not taken") {
            try alice.seen.contains("games is a folder: only files can be sent.")
        }
        #expect(try alice.present("button", "Remove games") == nil)
        try await alice.find("button", "Send").click()
        _ = try await bob.find("link", from: "one.txt")
        _ = try await bob.find("link", from: "two.txt")
    }

    /// Regression: a file that was dropped beside the conversation took the place of the page.
    @Test func aDropElsewhereDoesNothing() async throws {
        let folder = try TestDirectory()
        let path = try folder.write("page.html", Data("<p>another page</p>".utf8))
        let before = try alice.run("return location.href")
        try await alice.find("textbox", "Message").type("still here")
        try drag([path], "dragEnter", "dragOver", "drop", over: ".side")
        #expect(try !isFrameSeen)
        try await alice.find("button", "Invite").click()
        let dialog = try await alice.find("dialog", "Invite")
        try drag([path], "dragEnter", "dragOver", "drop", over: ".log")
        try await alice.find("button", "Close", in: dialog).click()
        #expect(try alice.run("return location.href") == before)
        #expect(try alice.tabCount == 1)
        #expect(try alice.present("region", "Draft") == nil)
        let typed = try await alice.find("textbox", "Message").property("value")
        #expect(typed == "still here")
    }

    @Test func aPictureIsPastedWhereverTheFocusIs() async throws {
        let dot = try alice.drawn(width: 8, height: 8).base64EncodedString()
        let script = """
            const [text, place] = arguments;
            const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
            const clipboardData = new DataTransfer();
            clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
            document.querySelector(place).dispatchEvent(
                new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            """
        for place in ["textarea.message", "body"] {
            try alice.run(script, .text(dot), .text(place))
            try await alice.find("button", "Remove image.png").click()
            try await eventually("the end of the draft") {
                try alice.present("region", "Draft") == nil
            }
        }
    }
}
