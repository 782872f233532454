/// A line that a person types while an app is open.
package enum AppLine: Hashable, Sendable {
    /// Acts on the numbered view, perhaps with text.
    case use(Int, text: String?)
    /// Taps the numbered message, or the latest message of the app.
    case tap(Int?)
    /// Places the sticker of the input field on the numbered message, in percent from left and top.
    case place(Int, x: Double, y: Double)
    /// Peels the last sticker of this device off the numbered message.
    case peelOff(Int)
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
        case "p": self = Self.place(rest ?? "") ?? .unknown(line)
        case "x": self = Self.message(rest ?? "").map(Self.peelOff) ?? .unknown(line)
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
            } else {
                self = Self.message(first).map { .tap($0) } ?? .unknown(line)
            }
        }
    }

    /// The number of a message: 3 for `m3`.
    private static func message(_ text: String) -> Int? {
        guard text.first == "m", let number = Int(text.dropFirst()), number > 0 else { return nil }
        return number
    }

    /// A message and perhaps a position: `m3`, or `m3 25 75`.
    private static func place(_ text: String) -> AppLine? {
        let words = text.split(separator: " ").map(String.init)
        guard let first = words.first, let number = message(first) else { return nil }
        let position = words.dropFirst().compactMap { Double($0) }
        guard words.count == 1 || words.count == 3 && position.count == 2 else { return nil }
        guard position.allSatisfy((0...100).contains) else { return nil }
        return .place(number, x: position.first ?? 50, y: position.last ?? 50)
    }
}
