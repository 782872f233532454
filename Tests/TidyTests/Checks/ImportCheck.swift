/// Rules for imports that `Package.swift` cannot state.
///
/// The build of the tests checks that a target imports only what is declared there.
enum ImportCheck {
    static func findings(_ file: SwiftFile) -> [Finding] {
        testableFindings(file) + (file.target == "ParleyCore" ? coreFindings(file) : [])
    }

    /// Tests import targets as everybody else does.
    private static func testableFindings(_ file: SwiftFile) -> [Finding] {
        file.code.indices.filter { file.code[$0].contains("@testable") }.map {
            file.file.finding($0, "@testable: use what is `package`")
        }
    }

    /// The core is values only, and no manifest keeps it from importing what comes with Swift.
    private static func coreFindings(_ file: SwiftFile) -> [Finding] {
        imports(file).map { file.file.finding($0.line, "ParleyCore may not import \($0.module)") }
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
