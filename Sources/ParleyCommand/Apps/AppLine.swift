/// What a person types while an app is open.
package enum AppLine: Hashable, Sendable {
    /// Uses what has that number, perhaps with text.
    case use(Int, text: String?)
    /// Taps the message of that number, or the latest of the app.
    case tap(Int?)
    case send
    case removeDraft
    case type(String)
    case expand
    case collapse
    case help
    case quit
    case redraw
    /// Nothing that is understood.
    case unknown(String)

    /// Understands a line.
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
