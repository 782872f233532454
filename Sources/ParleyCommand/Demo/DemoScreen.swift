import Foundation
import ParleyAPI

/// Prints two transcripts side by side.
struct DemoScreen: Sendable {
    let asJSON: Bool
    private let output = Output.standard

    init(asJSON: Bool) {
        self.asJSON = asJSON
    }

    /// Prints progress for people.
    func say(_ text: String) {
        if !asJSON { output.line(text) }
    }

    /// Tells people what to do now; the links to the pages come last.
    func invite(_ names: [String], conversation: String) {
        say("")
        say(output.style(.bold, "Now you can play:") + " open both links, one for each player.")
        say("They lead to the conversation \(conversation). Choose an app, make your move, press")
        say("Send. Each link works once; Enter prints new ones. Ctrl-C ends the demo.")
    }

    /// Prints links to the pages.
    func links(_ links: [String], names: [String]) {
        let width = names.map(\.count).max() ?? 0
        for (name, link) in zip(names, links) {
            let space = String(repeating: " ", count: width - name.count)
            say("  \(name)\(space)  \(output.style(.cyan, link))")
        }
    }

    /// Prints the link by which phones take part as guests of a node, with its QR code.
    func phones(_ document: GuestsDocument, of name: String) {
        guard !asJSON, let link = document.links.first else { return }
        // A link is never too long for a QR code.
        let code = output.isTerminal ? (try? QRText.lines(link)) ?? [] : []
        for line in code { output.line(line) }
        say("Phones of this network play along, as guests of \(name):")
        say("  \(output.style(.cyan, link))")
    }

    /// Prints the transcripts of both nodes: on a terminal in place, elsewhere as one line.
    func draw(_ transcripts: [[TranscriptEntry]], names: [String]) {
        guard !asJSON else { return }
        guard output.isTerminal else {
            let texts = zip(names, transcripts).map { name, entries in
                "\(name) shows: \(entries.last.map(Self.line) ?? "nothing")"
            }
            output.line(texts.joined(separator: "   "))
            return
        }
        let lines = self.lines(transcripts, names: names)
        let text = lines.map { $0 + "\u{1B}[K\n" }.joined()
        output.bytes(Data(("\u{1B}[H" + text + "\u{1B}[J").utf8))
    }

    /// Prints the result of the demo.
    func finish(_ result: DemoResult, transcripts: [[TranscriptEntry]], names: [String]) throws {
        if asJSON { return try output.document(result) }
        if !output.isTerminal {
            output.line()
            for line in lines(transcripts, names: names) { output.line(line) }
        }
        let seconds = (result.firstShownSeconds * 100).rounded() / 100
        output.line()
        output.line(
            output.style(.green, "Both show the same")
                + " after \(result.moves) moves; the first was shown \(seconds) s after both nodes "
                + "were ready."
        )
    }

    private func lines(_ transcripts: [[TranscriptEntry]], names: [String]) -> [String] {
        let width = max(24, min(50, (output.width - 3) / 2))
        let columns = zip(names, transcripts).map { name, entries in
            column(name, entries.suffix(10), width)
        }
        let height = columns.map(\.count).max() ?? 0
        return (0..<height).map { row in
            columns.map { lines in
                let text = row < lines.count ? lines[row] : ""
                let space = width - TerminalText.columns(text)
                return text + String(repeating: " ", count: max(0, space))
            }.joined(separator: " │ ")
        }
    }

    private func column(_ name: String, _ entries: some Sequence<TranscriptEntry>, _ width: Int)
        -> [String]
    {
        func fitted(_ text: String) -> String {
            TerminalText.fitted(TerminalText.safe(text), columns: width)
        }
        var lines = [output.style(.bold, fitted(name)), String(repeating: "─", count: width)]
        for entry in entries {
            guard let content = entry.message?.content else {
                lines.append(output.style(.dim, fitted("· " + Self.line(entry))))
                continue
            }
            lines.append(fitted(Self.line(entry)))
            if let board = content.url.flatMap(DemoBoard.init(url:)) {
                lines += board.rows.map { "    " + output.style(.cyan, $0) }
            }
            if let image = content.layout?.image {
                let state = image.isHere ? "complete" : "arriving"
                let size = TerminalText.size(image.bytes)
                lines.append(output.style(.dim, fitted("    picture of \(size) \(state)")))
            }
        }
        return lines
    }

    private static func line(_ entry: TranscriptEntry) -> String {
        guard let message = entry.message else { return entry.summary.summaryText ?? "a message" }
        let sender = message.sender.name ?? "somebody"
        return "\(sender): \(message.content?.layout?.caption ?? message.content?.url ?? "")"
    }
}
