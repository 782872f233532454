/// A line that a person types while an app is open.
package enum AppLine: Hashable, Sendable {
    /// Acts on the view with that number, perhaps with text.
    case use(Int, text: String?)
    /// Taps the message with that number, or the latest message of the app.
    case tap(Int?)
    case send
    case removeDraft
    case type(String)
    case expand
    case collapse
    case help
    case quit
    case redraw
    /// The line is not a command.
    case unknown(String)

    /// Parses a line.
    package init(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = words.first.map(String.init) else {
            self = .redraw
            return
        }
        let rest = words.count > 1 ? String(words[1]) : nil
        switch first {
        case "m": self = .tap(nil)
        case "s": self = .send
        case "d": self = .removeDraft
        case "t": self = .type(rest ?? "")
        case "+": self = .expand
        case "-": self = .collapse
        case "?", "h", "help": self = .help
        case "q", "quit", "exit": self = .quit
        default:
            if let number = Int(first), number > 0 {
                self = .use(number, text: rest)
            } else if first.first == "m", let number = Int(first.dropFirst()), number > 0 {
                self = .tap(number)
            } else {
                self = .unknown(line)
            }
        }
    }
}
