/// Holds the targets apart: each imports what `ImportTable` grants it and no more.
enum ImportCheck {
    static func findings(_ file: SwiftFile, row: (String) -> ImportTable.Row?) -> [Finding] {
        guard let target = file.target else { return testFindings(file) }
        guard let row = row(target) else {
            return [file.file.finding(0, "ImportTable.swift has no row for target \(target)")]
        }
        return imports(file).filter { !row.allows($0.module) }.map {
            file.file.finding($0.line, "\(target) may not import \($0.module)")
        }
    }

    /// Tests import targets as everybody else does.
    private static func testFindings(_ file: SwiftFile) -> [Finding] {
        file.code.indices.filter { file.code[$0].contains("@testable") }.map {
            file.file.finding($0, "@testable: use what is `package`")
        }
    }

    /// The modules that `file` imports, with the index of the line.
    static func imports(_ file: SwiftFile) -> [(module: String, line: Int)] {
        let kinds: Set = [
            "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
        ]
        return file.code.enumerated().compactMap { line, code in
            guard code.contains("import ") else { return nil }
            let words = SwiftToken.tokens([code]).map(\.text)
            guard let position = words.firstIndex(of: "import") else { return nil }
            let module = words.dropFirst(position + 1).first { !kinds.contains($0) }
            return module.map { ($0, line) }
        }
    }
}
