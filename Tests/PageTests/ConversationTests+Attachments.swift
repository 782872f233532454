import Foundation
import PageSupport
import TestSupport
import Testing
import WebDriver

/// Files from the person's machine, from the choice to the download.
extension ConversationTests {
    @Test func filesAreChosenRemovedSentAndDownloaded() async throws {
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let folder = try TestDirectory()
        let dot = try #require(Self.dot)
        let notes = Data("Rules of the evening:\n<b>no phones</b>\n".utf8)
        let paths = [
            try folder.write("rules <b>.txt", notes), try folder.write("dot.png", dot),
            try folder.write("empty.txt", Data()), try folder.write("late.txt", notes),
        ]
        _ = try await alice.find("button", "Attach")
        let input = try alice.first("input[type=file]")
        // One after the other, as a person does who thinks of another file.
        for path in paths[..<3] { try input.type(path) }
        let draft = try await alice.find("region", "Draft")
        try await eventually("why the empty file was not taken") {
            try alice.seen.contains("empty.txt is empty.")
        }
        try await eventually("the preview") {
            let width = "return document.querySelector('.draft img')?.naturalWidth"
            return try alice.run(width).number == 1
        }
        try await alice.inspect("attachments", sizes: [(390, 844), (1_440, 900)])
        try alice.resize(width: 1_440, height: 900)
        try await alice.find("button", "Remove dot.png", in: draft).click()
        try await eventually("one file") { try !draft.text.contains("dot.png") }
        #expect(try alice.isFocused(try await alice.find("textbox", "Message")))
        try input.type(paths[1])
        _ = try await alice.find("button", "Remove dot.png")
        try input.type(paths[3])
        _ = try await alice.find("button", "Remove late.txt")
        try await send(from: alice)

        let link = try await bob.find("link", from: "rules <b>.txt")
        #expect(try link.attribute("download") == "rules <b>.txt")
        let script = """
            const [link, done] = arguments;
            fetch(link.href).then(async (answer) => done([await answer.text(),
                answer.headers.get("content-disposition"), answer.headers.get("content-type")]));
            """
        let answer = try bob.runLater(script, link.reference).array?.compactMap(\.text) ?? []
        try #require(answer.count == 3)
        #expect(answer[0] == String(decoding: notes, as: UTF8.self))
        #expect(answer[1].hasPrefix("attachment;"))
        #expect(answer[2] == "application/octet-stream")
        let picture = try await bob.find("article", "dot.png")
        _ = try await bob.find("image", "dot.png", in: picture)
        #expect(try bob.present("link", "late.txt") == nil && !bob.seen.contains("late.txt"))
        try await eventually("the empty field") {
            try alice.present("region", "Draft") == nil
        }
    }

    /// Sends the two files: first without success, then so slowly that it is seen.
    private func send(from alice: Browser) async throws {
        let send = try await alice.find("button", "Send")
        try alice.devTools("Network.enable")
        try alice.devTools("Network.setBlockedURLs", ["urls": .array([.text("*attachments?*")])])
        try send.click()
        // What was not sent is in the field again.
        try await eventually("why it was not sent") {
            try alice.seen.contains("rules <b>.txt was not sent: the connection was cut.")
        }
        _ = try await alice.find("button", "Remove rules <b>.txt")
        _ = try await alice.find("button", "Remove dot.png")
        try alice.devTools("Network.setBlockedURLs", ["urls": .array([])])
        pair.alice.pause()
        defer { pair.alice.resume() }
        try send.click()
        let sending = try await alice.find("article", "rules <b>.txt")
        try await eventually("how much is sent") { try sending.text.contains("Sending… ") }
        #expect(try alice.present("region", "Draft") == nil)
        try await alice.inspect("sending", sizes: [(390, 844)])
        // Regression: a file that waited for others was sent although it was cancelled.
        try await alice.find("button", "Cancel late.txt").click()
        pair.alice.resume()
    }

    /// Regression: Enter right after the choice of a file sent the text without the file.
    @Test func aFileThatIsStillLookedAtIsSentWithTheText() async throws {
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let folder = try TestDirectory()
        let path = try folder.write("late.txt", Data("late\n".utf8))
        _ = try await alice.find("button", "Attach")
        try alice.run(
            """
            const { fetch } = window;
            window.fetch = async (address, options) => {
                const isCheck = String(address).includes("attachments/check");
                if (isCheck) await new Promise((done) => setTimeout(done, 1000));
                return fetch(address, options);
            };
            """
        )
        try alice.first("input[type=file]").type(path)
        try await alice.find("textbox", "Message").type("with a file\u{E007}")
        _ = try await bob.find("link", from: "late.txt")
        _ = try await bob.find("article", "with a file")
        try await eventually("the empty field") { try alice.present("region", "Draft") == nil }
    }

    /// A PNG of one pixel.
    private static let dot = Data(
        base64Encoded: [
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6",
            "kgAAAABJRU5ErkJggg==",
        ].joined()
    )
}
