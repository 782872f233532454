/// Few sentences of the comments in `Sources` have so many pronouns that they are read twice.
enum ProseCheck {
    /// A sentence of a comment.
    struct Sentence: Sendable, Equatable {
        /// The index of the line on which the comment begins.
        let line: Int
        let text: String
        let pronouns: Int
    }

    /// From so many pronouns on, a sentence counts as one that is read twice.
    static let pronounsMax = 3
    /// The share of such sentences that may be, in percent.
    static let percentMax = 4.0
    /// Shorter sentences do not count.
    private static let wordsMin = 4
    private static let listed = 20

    private static let pronouns: Set = [
        "it", "its", "they", "them", "their", "this", "that", "these", "those", "which", "who",
        "whom", "whose", "one", "ones", "what", "such",
    ]

    /// The worst sentences, if too many are read twice.
    static func findings(_ files: [SwiftFile]) -> [Finding] {
        let sentences = files.flatMap { file in self.sentences(file).map { (file.file, $0) } }
        let bad = sentences.filter { $0.1.pronouns >= pronounsMax }
        let percent = 100 * Double(bad.count) / Double(max(1, sentences.count))
        guard percent > percentMax else { return [] }
        return bad.sorted { $0.1.pronouns > $1.1.pronouns }.prefix(listed)
            .map { file, sentence in
                let count = "\(sentence.pronouns) pronouns"
                return file.finding(sentence.line, "a sentence with \(count): \(sentence.text)")
            }
    }

    static func sentences(_ file: SwiftFile) -> [Sentence] {
        paragraphs(file).flatMap { line, text in
            sentences(text).compactMap { sentence in
                let words = sentence.lowercased().split { !$0.isLetter && $0 != "'" }
                guard words.count >= wordsMin else { return nil }
                let count = words.count { pronouns.contains(String($0)) }
                return Sentence(line: line, text: sentence, pronouns: count)
            }
        }
    }

    /// The paragraphs of comments that have a line of their own, code in backticks as `X`.
    private static func paragraphs(_ file: SwiftFile) -> [(line: Int, text: String)] {
        var paragraphs: [(line: Int, text: String)] = []
        var isOpen = false
        for (line, comment) in file.comments.enumerated() {
            var text = comment.drop { $0 == "/" }.drop { $0 == " " }
            let isAlone = file.code[line].allSatisfy(\.isWhitespace)
            let begins = text.hasPrefix("- ") || text.hasPrefix("MARK:")
            if begins { text = text.drop { $0 != " " }.dropFirst() }
            guard isAlone, !text.isEmpty else {
                isOpen = false
                continue
            }
            if isOpen, !begins {
                paragraphs[paragraphs.count - 1].text += " " + text
            } else {
                paragraphs.append((line, String(text)))
            }
            isOpen = true
        }
        return paragraphs.map { ($0.line, withoutCode($0.text)) }
    }

    private static func withoutCode(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { $0.isMultiple(of: 2) ? String($1) : "X" }.joined()
    }

    /// A sentence ends with a full stop, colon, question or exclamation mark before a capital.
    private static func sentences(_ text: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        var isEnded = false
        for word in text.split(separator: " ") {
            if isEnded, word.first.map({ $0.isUppercase || "\"(".contains($0) }) ?? false {
                sentences.append(sentence)
                sentence = ""
            }
            sentence += sentence.isEmpty ? "\(word)" : " \(word)"
            isEnded = word.last.map { ".:?!".contains($0) } ?? false
        }
        return sentence.isEmpty ? sentences : sentences + [sentence]
    }
}
