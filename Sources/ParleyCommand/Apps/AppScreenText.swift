import ParleyAPI
import ParleyWeb

/// An app's screen as lines for a terminal; text from peers is stripped of control characters.
package struct AppScreenText {
    /// The number of transcript lines that are shown above the app.
    private static let bubblesMax = 8

    let output: Output

    /// The lines: the transcript, then the app, then the input field.
    func lines(_ screen: ScreenDocument) -> [String] {
        let style = screen.style ?? "closed"
        let title = "\(screen.app.name) in \(screen.conversation) · \(style)"
        var lines = [output.style(.bold, TerminalText.safe(title))]
        lines += transcript(screen)
        if let hint = latest(screen) { lines.append(output.style(.dim, hint)) }
        lines.append(output.style(.dim, String(repeating: "─", count: min(output.width, 60))))
        lines += body(screen)
        lines.append(output.style(.dim, String(repeating: "─", count: min(output.width, 60))))
        lines += field(screen)
        return lines
    }

    private func transcript(_ screen: ScreenDocument) -> [String] {
        screen.bubbles.suffix(Self.bubblesMax).map { bubble in
            let sender = bubble.mine ? "you" : bubble.sender.name ?? "Someone"
            let number = bubble.number.map { "m\($0)" } ?? ""
            let text = TerminalText.safe("\(sender): \(bubble.line)")
            let conflict = bubble.conflict == true ? output.style(.yellow, " (conflict)") : ""
            let line = bubble.kind == "message" ? text : output.style(.dim, text)
            let stickers = (bubble.stickers ?? []).map {
                " [" + TerminalText.safe($0.description) + "]"
            }
            let pad = String(repeating: " ", count: max(0, 4 - number.count))
            return pad + output.style(.cyan, number) + " " + line + conflict
                + output.style(.dim, stickers.joined())
        }
    }

    private func body(_ screen: ScreenDocument) -> [String] {
        guard screen.style != nil else {
            return ["The app is closed: m opens its latest message, q leaves."]
        }
        return screen.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            TerminalText.safe(String($0))
        }
    }

    /// A hint at the latest message, because an app that is opened from the menu need not show it.
    private func latest(_ screen: ScreenDocument) -> String? {
        let last = screen.bubbles.last { $0.own == true }
        guard let number = last?.number, screen.style == "compact" else { return nil }
        return "     (m opens the latest message, m\(number))"
    }

    private func field(_ screen: ScreenDocument) -> [String] {
        var lines: [String] = []
        if let draft = screen.draft {
            let line = TerminalText.safe("Draft: \(draft.line)")
            lines.append(output.style(.green, line) + "   [s] send  [d] delete")
            if let error = draft.error {
                lines.append(output.style(.red, TerminalText.safe("not sent: \(error)")))
            }
        }
        if !screen.typed.isEmpty {
            lines += screen.typed.split(separator: "\n").map {
                "Text: " + TerminalText.safe("\($0)")
            }
        }
        let stickers = screen.stickers ?? []
        let latest = screen.bubbles.last { $0.number != nil }?.number
        let place = latest.map { "  [p m\($0)] place on message \($0)" } ?? ""
        lines += stickers.map { sticker in
            output.style(.green, TerminalText.safe("Sticker: \(sticker.description)"))
                + "   [s] send" + place
        }
        let files = screen.items - stickers.count
        if files > 0 { lines.append("Attachments: \(files)") }
        return lines
    }
}
