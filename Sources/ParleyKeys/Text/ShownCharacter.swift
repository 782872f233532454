extension Character {
    /// The character as it can stand in a sentence on a terminal: never a control character.
    var shown: String {
        switch self {
        case " ": "a space"
        case "\n", "\r", "\r\n", "\t": "a line break or tab"
        default: isASCII && self > " " && self < "\u{7f}" ? "\"\(self)\"" : "an unknown character"
        }
    }
}
