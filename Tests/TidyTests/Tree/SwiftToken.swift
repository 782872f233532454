/// A word or one character of punctuation.
struct SwiftToken: Sendable {
    let text: String
    /// The index of its line.
    let line: Int
    /// Whether nothing stands between the token before and this one.
    let touches: Bool

    /// The tokens of lines without comments; a literal gives its quotes.
    static func tokens(_ code: [String]) -> [SwiftToken] {
        var tokens: [SwiftToken] = []
        for (index, line) in code.enumerated() {
            var word = ""
            var touches = false
            func endWord() {
                guard !word.isEmpty else { return }
                tokens.append(SwiftToken(text: word, line: index, touches: touches))
                word = ""
                touches = true
            }
            for scalar in line.unicodeScalars {
                if isWordScalar(scalar) {
                    word.unicodeScalars.append(scalar)
                    continue
                }
                endWord()
                if scalar == " " || scalar == "\t" {
                    touches = false
                } else {
                    tokens.append(SwiftToken(text: String(scalar), line: index, touches: touches))
                    touches = true
                }
            }
            endWord()
        }
        return tokens
    }

    static func isWord(_ text: String) -> Bool {
        text.unicodeScalars.first.map(isWordScalar) ?? false
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "`", "#": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }
}
