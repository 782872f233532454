import ParleyCommand
import Testing

/// Parsing of the lines that a person types while an app is open.
@Suite struct AppLineTests {
    struct Row: Sendable {
        let text: String
        let line: AppLine

        init(_ text: String, _ line: AppLine) {
            self.text = text
            self.line = line
        }
    }

    @Test(
        arguments: [
            Row("", .redraw), Row("   ", .redraw), Row("3", .use(3, text: nil)),
            Row("3 hello  world", .use(3, text: "hello  world")), Row(" 12 ", .use(12, text: nil)),
            Row("m", .tap(nil)), Row("m2", .tap(2)), Row("s", .send), Row("d", .removeDraft),
            Row("t hi there", .type("hi there")), Row("t", .type("")), Row("+", .expand),
            Row("-", .collapse), Row("?", .help), Row("q", .quit), Row("quit", .quit),
            Row("0", .unknown("0")), Row("-1", .unknown("-1")), Row("m0", .unknown("m0")),
            Row("p m3", .place(3, x: 50, y: 50)), Row("p m3 25 7.5", .place(3, x: 25, y: 7.5)),
            Row("p", .unknown("p")), Row("p 3", .unknown("p 3")), Row("p m3 4", .unknown("p m3 4")),
            Row("p m3 4 x", .unknown("p m3 4 x")), Row("p m3 4 101", .unknown("p m3 4 101")),
            Row("x m2", .peelOff(2)), Row("x m0", .unknown("x m0")),
            Row("x", .unknown("x")), Row("99999999999999999999", .unknown("99999999999999999999")),
        ]
    )
    func isUnderstood(_ row: Row) {
        #expect(AppLine(row.text) == row.line)
    }
}
