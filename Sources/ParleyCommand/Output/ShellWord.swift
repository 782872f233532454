/// Text as one word of a shell's command line.
package enum ShellWord {
    /// In single quotes unless it needs none.
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
