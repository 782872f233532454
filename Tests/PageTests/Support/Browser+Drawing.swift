import PageSupport
import TestSupport
import Testing
import WebDriver

/// Draw and guess, as a person who draws uses it.
extension Browser {
    /// Begins a match with somebody on another page, and chooses the first of the words; returns
    /// the word.
    func beginDrawing(with other: Browser) async throws -> String {
        try await openApp("Draw and guess")
        let panel = try await find("region", "Draw and guess")
        try await find("button", "Who wants to play?", in: panel).click()
        let card = try await other.find("article", from: "Draw and guess: ")
        try await other.find("button", "Join", in: card).click()
        // On a phone Give up comes where the button was, and takes no second click.
        try doubleClick(try await find("button", "Start"))
        let word = try await eventually("a word to choose") {
            let choice = "document.querySelector('.panel [data-node$=\"#word1\"]')"
            return try run("return \(choice)?.textContent").text
        }
        try await find("button", word, in: panel).click()
        _ = try await find("application", "Paper", in: panel)
        #expect(try present("button", "Play on") == nil)
        try keepNews()
        return word
    }

    /// Waits for ink that is used, and returns what the bottle says.
    func usedInk() async throws -> String {
        let bottle = try await find("image", from: "Ink: ")
        return try await eventually("ink that is used") {
            let name = try bottle.name
            return name == "Ink: 100 % left" ? nil : name
        }
    }

    /// The words that a screen reader has spoken so far, as a panel has changed.
    func news() throws -> String { try run("return window.heard.join()").text ?? "" }

    /// Begins to keep what `news` returns, as the next change of the screen replaces it.
    private func keepNews() throws {
        let script = """
            window.heard = [];
            new MutationObserver(() => {
                for (const { textContent } of document.querySelectorAll(".panel [role=status]")) {
                    window.heard.push(textContent);
                }
            }).observe(document.body, { subtree: true, childList: true, characterData: true });
            """
        _ = try run(script)
    }
}
