import ParleyNode
import Testing

/// The one rule for the names that people give.
@Suite struct GivenNameTests {
    /// U+FDD0, which no literal may have.
    private static let noncharacter = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)

    @Test(arguments: [
        ("games", "games"), (" two words\n", "two words"), ("\u{A0}\u{3000}x\u{2003}", "x"),
        ("cafe\u{301}", "caf\u{e9}"), ("\u{212B}", "\u{c5}"), ("日本", "日本"), ("...", "..."),
        // The joiners that emoji and Persian need.
        ("\u{1f468}\u{200d}\u{1f469}", "\u{1f468}\u{200d}\u{1f469}"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"), ("❤\u{fe0f}", "❤\u{fe0f}"),
        ("x\u{e000}", "x\u{e000}"), ("नमस्ते", "नमस्ते"), ("1\u{20e3}", "1\u{20e3}"),
    ])
    func aNameIsBroughtIntoNormalForm(_ text: String, _ normal: String) throws {
        let name = try GivenName(text, bytesMax: 64)
        #expect(Array(name.text.utf8) == Array(normal.utf8))
        #expect(try GivenName(name.text, bytesMax: 64) == name)
        #expect(GivenName(adapting: text, bytesMax: 64) == name)
    }

    @Test(
        arguments: [
            ("", .empty, nil), (" \t\u{2003}", .empty, nil), ("\u{3164}", .empty, nil),
            ("\u{200d}\u{200c}", .empty, nil), ("\u{2800}\u{fe0f}", .empty, nil),
            ("\u{200b}", .empty, nil), ("\u{301}", .empty, nil), ("\u{20dd}", .empty, nil),
            (noncharacter, .empty, nil), ("\u{e000}\u{301}", .empty, nil), (".", .dots, nil),
            (" .. ", .dots, nil),
            ("a\u{200b}b", .unprintable("\u{200b}"), "ab"),
            ("a\u{202e}b", .unprintable("\u{202e}"), "ab"), ("a\nb", .unprintable("\n"), "ab"),
            ("\u{1b}[2J", .unprintable("\u{1b}"), "[2J"),
            ("\u{feff}x", .unprintable("\u{feff}"), "x"),
            ("123456789", .tooLong(bytes: 9, limit: 8), "12345678"),
            ("1234567\u{e9}", .tooLong(bytes: 9, limit: 8), "1234567"),
        ] as [(String, GivenNameError, String?)]
    )
    func whatIsNoNameIsRefusedOrAdapted(
        _ text: String,
        _ error: GivenNameError,
        _ adapted: String?
    ) {
        #expect(throws: error) { try GivenName(text, bytesMax: 8) }
        #expect(GivenName(adapting: text, bytesMax: 8)?.text == adapted)
        #expect(error.message(of: "the device").hasPrefix("The name of the device "))
    }
}
