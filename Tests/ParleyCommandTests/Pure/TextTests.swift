import Foundation
import ParleyCommand
import Testing

@Suite struct DataLocationTests {
    struct Case: Sendable {
        let option: String?
        let environment: [String: String]
        let path: String

        init(_ option: String?, _ environment: [String: String], _ path: String) {
            self.option = option
            self.environment = environment
            self.path = path
        }
    }

    @Test(arguments: [
        Case("/data/x", ["PARLEY_DATA": "/p", "HOME": "/h"], "/data/x"),
        Case("/data/../x", [:], "/x"),
        Case("", ["PARLEY_DATA": "/p"], "/p"),
        Case(nil, ["PARLEY_DATA": "/p", "XDG_STATE_HOME": "/s"], "/p"),
        Case(nil, ["PARLEY_DATA": "", "XDG_STATE_HOME": "/s"], "/s/parley"),
        Case(nil, ["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/parley"),
        Case(nil, ["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/parley"),
        Case(nil, ["HOME": "/h"], "/h/.local/state/parley"),
    ])
    func choosesDirectory(_ example: Case) {
        let url = DataLocation.directory(option: example.option, environment: example.environment)
        #expect(url.path == example.path)
    }
}

@Suite struct TerminalTextTests {
    @Test(arguments: [
        "\u{1B}[2J": "\u{FFFD}[2J", "a\nb": "a\u{FFFD}b", "x\u{202E}y": "x\u{FFFD}y",
        "grün ♟": "grün ♟", "\u{9B}31m": "\u{FFFD}31m",
    ])
    func hidesControlCharacters(text: String, safe: String) {
        #expect(TerminalText.safe(text) == safe)
    }

    @Test func fitsColumns() {
        #expect(TerminalText.fitted("abcdef", columns: 4) == "abc…")
        #expect(TerminalText.fitted("abcd", columns: 4) == "abcd")
        #expect(TerminalText.fitted("漢字漢字", columns: 5) == "漢字…")
        #expect(TerminalText.columns("\u{1B}[31mab\u{1B}[0m") == 2)
    }

    @Test(arguments: [
        0: "just now", 5: "5 s ago", 119: "1 min ago", 7_200: "2 h ago", 200_000: "2 d ago",
    ])
    func saysAge(seconds: Int, text: String) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(TerminalText.age(of: now - TimeInterval(seconds), now: now) == text)
    }

    @Test func alignsColumns() {
        var table = TextTable(["A", "LONG"])
        table.add(["漢字", "x"])
        table.add(["y", ""])
        #expect(table.lines == ["A     LONG", "漢字  x", "y"])
    }

    @Test(arguments: [
        "games": "games", "a b": "'a b'", "it's": "'it'\\''s'", "": "''", "$(x)": "'$(x)'",
    ])
    func quotesShellWords(text: String, quoted: String) {
        #expect(ShellWord.quoted(text) == quoted)
    }
}
