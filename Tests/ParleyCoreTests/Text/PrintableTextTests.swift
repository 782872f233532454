import ParleyCore
import Testing

/// Text of strangers cannot write to a log or a terminal what nobody sees as it is.
struct PrintableTextTests {
    struct Text: Sendable, CustomTestStringConvertible {
        let text: String
        let escaped: String

        init(_ text: String, _ escaped: String) {
            self.text = text
            self.escaped = escaped
        }

        var testDescription: String { escaped }
    }

    static let texts = [
        Text("", ""),
        Text("kitchen", "kitchen"),
        Text("Küche ♟ 中 🎲 e\u{301}", "Küche ♟ 中 🎲 e\u{301}"),
        Text("👩\u{200D}🔧 می\u{200C}خواهم", "👩\u{200D}🔧 می\u{200C}خواهم"),
        Text("a\u{202E}b", #"a\u{202E}b"#),
        Text("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#),
        Text("a\u{85}b\u{9B}c", #"a\u{85}b\u{9B}c"#),
        Text("\u{1B}[2J\r\n\t\u{0}\u{7F}", #"\u{1B}[2J\u{D}\u{A}\u{9}\u{0}\u{7F}"#),
        Text("\u{200E}\u{200F}\u{61C}", #"\u{200E}\u{200F}\u{61C}"#),
        Text("\u{2066}\u{2069}", #"\u{2066}\u{2069}"#),
        Text("\u{FEFF}\u{AD}\u{E0041}", #"\u{FEFF}\u{AD}\u{E0041}"#),
        Text("\u{3164}\u{115F}\u{34F}\u{FE00}", #"\u{3164}\u{115F}\u{34F}\u{FE00}"#),
        Text("❤\u{FE0F} 葛\u{E0100}", "❤\u{FE0F} 葛\u{E0100}"),
    ]

    @Test(arguments: texts)
    func whatIsNotPrintableIsEscaped(_ text: Text) {
        #expect(PrintableText.escaped(text.text).utf8.elementsEqual(text.escaped.utf8))
    }

    @Test func whatIsNotPrintableIsReplaced() {
        #expect(PrintableText.replaced("report\u{202E}fdp.exe") == "report\u{FFFD}fdp.exe")
        #expect(PrintableText.replaced("日本 👩\u{200D}🔧.pdf") == "日本 👩\u{200D}🔧.pdf")
    }

    @Test(arguments: [
        ("abcd", "abc"), ("ab", "ab"), ("ä\u{202E}öü", #"ä\u{202E}ö"#), ("üüü", "üüü"),
    ])
    func aLongTextIsCutBetweenScalars(_ text: String, _ cut: String) {
        #expect(PrintableText.escaped(text, scalarsMax: 3) == cut)
    }
}
