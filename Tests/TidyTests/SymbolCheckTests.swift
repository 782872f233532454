import Testing

/// The check of `docs/messages-api.md` finds each way in which the page can be wrong.
@Suite struct SymbolCheckTests {
    private static let source = SwiftFile(
        "Sources/Messages/MSBoard.swift",
        """
        public let MSBoardDomain: String = "board"

        open class MSBoard: NSObject {
            open package(set) var cells: [Int]
            package var hidden = 0
            public init?(coder: NSCoder) { nil }
            open func play(_ cell: Int, by player: Int) { var local = 1 }
            func unseen() {}

            public enum Mark {
                case cross
            }
        }
        """
    )

    @Test func readsSymbols() {
        #expect(
            SymbolCheck.symbols(Self.source) == [
                "MSBoardDomain", "MSBoard", "MSBoard.cells", "MSBoard.init(coder:)",
                "MSBoard.play(_:by:)", "Mark", "Mark.cross",
            ]
        )
    }

    @Test func acceptsARightPage() {
        #expect(findings(rows: []) == [])
    }

    @Test func findsWhatIsWrong() {
        #expect(
            findings(rows: ["| `MSBoard.undo()` | same | |"]) == [
                "MSBoard.undo() is not in the sources"
            ]
        )
        #expect(findings(rows: ["| `MSBoard.undo()` | left out | |"]) == [])
        #expect(
            findings(rows: ["| `MSBoard.cells` | left out | |"]) == [
                "MSBoard.cells is in the sources"
            ]
        )
        #expect(
            findings(rows: ["| `MSBoard.cells` | odd | |"]) == ["MSBoard.cells has no known state"]
        )
        #expect(findings(rows: [], without: "MSBoard.cells") == ["MSBoard.cells is not listed"])
        #expect(
            findings(rows: [], counting: "9 symbols") == [
                "is wrong: 4 symbols: 3 same, 1 differ, 0 are left out."
            ]
        )
    }

    private func findings(
        rows: [String],
        without symbol: String? = nil,
        counting: String? = nil
    ) -> [String] {
        let all =
            [
                "| `MSBoardDomain` | same | |", "| `MSBoard` | same | remark |",
                "| `MSBoard.cells` | differs | |", "| `MSBoard.play(_:by:)` | same | |",
            ] + rows
        let lines = all.filter { line in symbol.map { !line.contains("`\($0)`") } ?? true }
        let draft = TreeFile(SymbolCheck.page, lines.joined(separator: "\n"))
        let sentence = counting ?? SymbolCheck.sentence(SymbolCheck.rows(draft))
        let page = TreeFile(SymbolCheck.page, draft.text + "\n" + sentence)
        return SymbolCheck.findings(page, [Self.source]).map(\.message)
    }
}
