import Foundation
import ParleyAPI

/// Messages and summaries as text for people.
struct EntryText: Sendable {
    let output: Output
    let names: EntryNames
    var now = Date()

    /// The lines of an entry.
    func lines(_ entry: EntryDocument) -> [String] {
        entry.kind == "summary" ? [summary(entry)] : message(entry)
    }

    /// The line of a summary.
    func summary(_ entry: EntryDocument) -> String {
        let text = drawn(entry.summaryText ?? "A message was replaced.")
        let who = "\(name(entry.sender)), \(TerminalText.age(of: entry.sentAt, now: now))"
        return output.style(.dim, "· \(text)  (\(who))")
    }

    private func message(_ entry: EntryDocument) -> [String] {
        var head = output.style(.bold, name(entry.sender))
        head += output.style(
            .dim,
            "  \(TerminalText.age(of: entry.sentAt, now: now))  revision \(entry.revision)"
        )
        if entry.conflict == true { head += "  " + output.style(.yellow, "conflict") }
        if entry.end == true { head += "  " + output.style(.dim, "ended") }
        var lines = [head]
        lines += captions(entry)
        let columns = output.width - 2
        if let url = entry.url {
            lines.append(
                "  " + output.style(.cyan, TerminalText.fitted(safe(url), columns: columns))
            )
        }
        if let placement = entry.placement {
            let (x, y) = (percent(placement.x), percent(placement.y))
            let message = safe(placement.message)
            lines.append("  sticker on \(message), at \(x) from the left, \(y) down")
        }
        if entry.unreadable == true { lines.append("  (cannot be opened on this node)") }
        if let next = entry.next {
            lines.append("  next: " + safe(next.map(names.name).joined(separator: ", ")))
        }
        lines.append("  " + output.style(.dim, "session \(entry.session)"))
        return lines
    }

    private func captions(_ entry: EntryDocument) -> [String] {
        guard let layout = entry.layout else { return [] }
        var lines: [String] = []
        if let image = layout.image {
            let titles = [layout.imageTitle, layout.imageSubtitle].compactMap(\.self)
            let state = image.here ? "" : ", not arrived yet"
            let size = TerminalText.size(image.bytes)
            lines.append(
                "  [\(safe(image.type)), \(size)\(state)] " + drawn(titles.joined(separator: " – "))
            )
        }
        let pairs = [
            (layout.caption, layout.trailingCaption),
            (layout.subcaption, layout.trailingSubcaption),
        ]
        for (leading, trailing) in pairs {
            let texts = [leading, trailing].compactMap(\.self).map(drawn)
            if !texts.isEmpty { lines.append("  " + texts.joined(separator: "  |  ")) }
        }
        return lines
    }

    private func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

    private func name(_ sender: SenderDocument) -> String {
        safe(EntryNames.name(of: sender))
    }

    /// A text of a message with names, safe for a terminal.
    private func drawn(_ text: String) -> String { safe(names.resolved(text)) }

    private func safe(_ text: String) -> String { TerminalText.safe(text) }
}
