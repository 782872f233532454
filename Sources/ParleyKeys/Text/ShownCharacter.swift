extension Character {
    /// The character as an error message shows it: never a control character.
    var shown: String {
        switch self {
        case " ": "a space"
        case "\n", "\r", "\r\n", "\t": "a line break or tab"
        default: isASCII && self > " " && self < "\u{7f}" ? "\"\(self)\"" : "an unknown character"
        }
    }
}
