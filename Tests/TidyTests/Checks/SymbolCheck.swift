/// Holds `docs/messages-api.md` to the sources: it counts right, what it says is here is here, what
/// it says is left out is not, and nothing under Apple's names is missing.
enum SymbolCheck {
    static let page = "docs/messages-api.md"
    static let targets = ["Messages", "UIKit"]

    enum State: String, CaseIterable {
        case same
        case differs
        case leftOut = "left out"
    }

    /// A line of a table of symbols.
    struct Row: Equatable {
        let symbol: String
        let state: State?
        /// The index of the line.
        let line: Int
    }

    static func findings(_ page: TreeFile, _ sources: [SwiftFile]) -> [Finding] {
        let rows = rows(page)
        let declared = sources.reduce(into: Set<String>()) { $0.formUnion(symbols($1)) }
        var findings = rows.compactMap { row -> Finding? in
            switch row.state {
            case .same where !declared.contains(row.symbol),
                .differs where !declared.contains(row.symbol):
                page.finding(row.line, "\(row.symbol) is not in the sources")
            case .leftOut where declared.contains(row.symbol):
                page.finding(row.line, "\(row.symbol) is in the sources")
            case nil: page.finding(row.line, "\(row.symbol) has no known state")
            case .same, .differs, .leftOut: nil
            }
        }
        let listed = Set(rows.map(\.symbol))
        let apples = declared.filter { $0.hasPrefix("MS") && !isFoundations($0) }
        for symbol in apples.subtracting(listed).sorted() {
            findings.append(page.finding(0, "\(symbol) is not listed"))
        }
        let sentence = sentence(rows)
        if !page.text.contains(sentence) {
            findings.append(page.finding(0, "is wrong: " + sentence))
        }
        return findings
    }

    /// The sentence in which the page must count its own rows.
    static func sentence(_ rows: [Row]) -> String {
        func count(_ state: State) -> Int { rows.filter { $0.state == state }.count }
        return "\(rows.count) symbols: \(count(.same)) same, \(count(.differs)) differ, "
            + "\(count(.leftOut)) are left out."
    }

    static func rows(_ page: TreeFile) -> [Row] {
        page.lines.enumerated().compactMap { line, text in
            let cells = text.split(separator: "|").map {
                $0.split(separator: " ").joined(separator: " ")
            }
            guard text.hasPrefix("| `MS"), cells.count >= 2 else { return nil }
            let symbol = cells[0].filter { $0 != "`" }
            return Row(symbol: symbol, state: State(rawValue: cells[1]), line: line)
        }
    }

    /// The public symbols of `file`: `Type`, `Type.property`, `Type.function(label:)`.
    static func symbols(_ file: SwiftFile) -> Set<String> {
        var symbols: Set<String> = []
        for declaration in file.declarations {
            let isMember = declaration.kind.isFunction
            guard isGiven(declaration), declaration.kind != .extension else { continue }
            let owner = isMember ? type(file, around: declaration.firstLine) : nil
            symbols.insert((owner.map { $0.name + "." } ?? "") + declaration.name)
        }
        for (line, code) in file.code.enumerated() {
            let words = SwiftToken.tokens([code]).map(\.text)
            let owner = type(file, around: line)
            if let owner, owner.kind == .enum, words.first == "case", words.count > 1 {
                symbols.insert(owner.name + "." + words[1])
            } else if words.contains("open") || words.contains("public"),
                let keyword = words.firstIndex(where: { $0 == "var" || $0 == "let" }),
                keyword + 1 < words.count,
                !words[..<keyword].contains("func"), !words[..<keyword].contains("{")
            {
                symbols.insert((owner.map { $0.name + "." } ?? "") + words[keyword + 1])
            }
        }
        return symbols
    }

    private static func isGiven(_ declaration: Declaration) -> Bool {
        declaration.parent == .protocol || ["open", "public"].contains(declaration.access)
    }

    /// The innermost type that has the line in its body.
    private static func type(_ file: SwiftFile, around line: Int) -> Declaration? {
        file.declarations.last {
            !$0.kind.isFunction && $0.firstLine < line && line < $0.lastLine
        }
    }

    /// Whether it comes from `NSObject` or the protocols of archives and copies.
    private static func isFoundations(_ symbol: String) -> Bool {
        let names = [
            "init(coder:)", "encode(with:)", "copy(with:)", "supportsSecureCoding", "isEqual(_:)",
            "hash",
        ]
        return symbol == "MSConversation.init()" || names.contains { symbol.hasSuffix("." + $0) }
    }
}
