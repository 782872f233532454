/// Quotes text as one word of a shell command.
package enum ShellWord {
    /// The text in single quotes, or unchanged if it needs none.
    package static func quoted(_ text: String) -> String {
        let plain = text.allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber)
                || "-_.:/=,@+".contains(character)
        }
        guard !plain || text.isEmpty else { return text }
        return "'"
            + TerminalText.safe(text).split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
