/// Tests wait for something, not for a while: a sleep stands in a function that gives up at a
/// deadline, or below a comment that says why it is time itself that must pass.
enum WaitCheck {
    static func findings(_ file: SwiftFile) -> [Finding] {
        guard file.path.hasPrefix("Tests/") else { return [] }
        let polling = file.declarations.filter { declaration in
            declaration.kind.isFunction
                && declaration.body.contains { $0.lowercased().contains("deadline") }
        }
        return file.code.indices
            .filter { line in
                sleeps(file.code[line]) && !isExplained(file, line)
                    && !polling.contains { $0.firstLine <= line && line <= $0.lastLine }
            }
            .map { file.file.finding($0, "a sleep without a deadline or a reason: poll") }
    }

    private static func isExplained(_ file: SwiftFile, _ line: Int) -> Bool {
        file.comments[max(0, line - 1)...line].contains { $0.contains("//") }
    }

    private static func sleeps(_ code: String) -> Bool {
        guard code.contains("sleep(") else { return false }
        let words = SwiftToken.tokens([code]).map(\.text)
        return words.indices.dropLast().contains {
            ["sleep", "usleep", "nanosleep"].contains(words[$0]) && words[$0 + 1] == "("
        }
    }
}
