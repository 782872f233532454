/// Finds what the house style does without, in code, in comments and in names.
enum WordCheck {
    static func findings(_ file: SwiftFile) -> [Finding] {
        var findings: [Finding] = []
        for (index, code) in file.code.enumerated() {
            let words = SwiftToken.tokens([code])
            for message in bannedInCode(file, index, words) {
                findings.append(file.file.finding(index, message))
            }
            for word in unfinished where contains(words, word) || contains(file, index, word) {
                findings.append(file.file.finding(index, "\(word): finish it or write an issue"))
            }
        }
        return findings
    }

    /// The findings in any text file, Swift or not.
    static func findings(_ file: TreeFile) -> [Finding] {
        var findings: [Finding] = []
        for (index, line) in file.lines.enumerated() {
            for folder in machineFolders where line.contains(folder) {
                findings.append(file.finding(index, "\(folder) is a folder of one machine"))
            }
            guard !file.isSwift else { continue }
            for word in unfinished where contains(SwiftToken.tokens([line]), word) {
                findings.append(file.finding(index, "\(word): finish it or write an issue"))
            }
        }
        let name = file.name.lowercased()
        for word in emptyNames where file.isSwift && name.contains(word) {
            findings.append(file.finding(0, "'\(word)' in a file name says nothing"))
        }
        return findings
    }

    // Cut in two so that this file does not hold what it forbids.
    private static let machineFolders = ["/wo" + "rk/", "/ho" + "me/"]
    private static let unfinished = ["TODO", "FIXME", "XXX"]
    private static let emptyNames = ["util", "helper", "manager", "misc"]

    private static func contains(_ words: [SwiftToken], _ word: String) -> Bool {
        words.contains { $0.text == word }
    }

    private static func contains(_ file: SwiftFile, _ index: Int, _ word: String) -> Bool {
        let comment = file.comments[index]
        return comment.contains(word) && contains(SwiftToken.tokens([comment]), word)
    }

    private static func bannedInCode(
        _ file: SwiftFile,
        _ index: Int,
        _ words: [SwiftToken]
    ) -> [String] {
        let code = file.code[index]
        var messages: [String] = []
        if forces(words), !asApple.contains(where: code.contains) {
            messages.append("`!` traps: unwrap, try or cast in the open")
        }
        for (text, reason) in bannedText where code.contains(text) {
            messages.append("\(text): \(reason)")
        }
        if code.contains("@unchecked Sendable"), !hasComment(file, after: index) {
            messages.append("@unchecked Sendable without its reason on the next line")
        }
        if file.target == "ParleyCore" {
            for (text, reason) in bannedInCore where code.contains(text) {
                messages.append("\(text): \(reason)")
            }
        }
        return messages
    }

    /// The one declaration that Apple writes with a mark: apps say `view.frame` and `view?.frame`.
    private static let asApple = ["public var view: UIView! {"]

    private static let bannedText = [
        ("nonisolated(unsafe)", "let the compiler check it"),
        ("DispatchQueue.global", "a queue of nobody's; use the node's"),
        ("fatalError(", "an error if others can cause it, else a precondition"),
    ]

    private static let bannedInCore = [
        ("SystemRandomNumberGenerator", "randomness comes in as an argument"),
        (".shuffled()", "randomness comes in as an argument"),
        (".randomElement()", "randomness comes in as an argument"),
        ("ContinuousClock", "time comes in as a Moment"),
        ("SuspendingClock", "time comes in as a Moment"),
        ("Task {", "the core does nothing itself"),
    ]

    /// Whether an exclamation mark follows an operand: `try!`, `as!`, `value!`, `Type!`.
    private static func forces(_ words: [SwiftToken]) -> Bool {
        words.indices.dropFirst().contains { index in
            guard words[index].text == "!", words[index].touches else { return false }
            let isUnequal =
                index + 1 < words.count && words[index + 1].text == "="
                && words[index + 1].touches
            let before = words[index - 1].text
            return !isUnequal && (SwiftToken.isWord(before) || ")]\"?>".contains(before))
        }
    }

    private static func hasComment(_ file: SwiftFile, after index: Int) -> Bool {
        let next = index + 1
        return next < file.comments.count && file.comments[next].contains("//")
    }
}
