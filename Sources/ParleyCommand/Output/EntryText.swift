import Foundation
import MessagesHost
import ParleyAPI

/// Messages and summaries as text for people.
struct EntryText: Sendable {
    let output: Output
    let names: EntryNames
    /// Whether revisions, URLs and identifiers are said, which only commands need.
    var isLong = true
    var now = Date()

    /// The lines of an entry.
    func lines(_ entry: TranscriptEntry) -> [String] {
        switch entry {
        case .message(let message): lines(message)
        case .summary(let summary): [line(summary)]
        }
    }

    /// The line of a summary.
    func line(_ entry: Summary) -> String {
        let text = drawn(entry.summaryText ?? "A message was replaced.")
        let who = "\(name(entry.sender)), \(TerminalText.age(of: entry.sentAt, now: now))"
        return output.style(.dim, "· \(text)  (\(who))")
    }

    /// The lines of a message.
    func lines(_ entry: Message) -> [String] {
        var head = output.style(.bold, name(entry.sender))
        let age = TerminalText.age(of: entry.sentAt, now: now)
        head += output.style(.dim, "  \(age)" + (isLong ? "  revision \(entry.revision)" : ""))
        if entry.isConflict { head += "  " + output.style(.yellow, "conflict") }
        if entry.isEnd { head += "  " + output.style(.dim, "ended") }
        var lines = [head]
        lines += captions(entry.content?.layout)
        let columns = output.width - 2
        if let url = entry.content?.url, isLong || lines.count == 1 {
            lines.append(
                "  " + output.style(.cyan, TerminalText.fitted(safe(url), columns: columns))
            )
        }
        if let placement = entry.content?.placement {
            let (x, y) = (percent(placement.horizontal), percent(placement.vertical))
            let message = isLong ? "\(placement.message)" : "a message"
            lines.append("  sticker on \(message), at \(x) from the left, \(y) down")
        }
        if let file = entry.content?.file {
            let kind = file.type.isEmpty ? "" : safe(file.type) + ", "
            lines.append("  [\(kind)\(TerminalText.size(file.bytes)), see: parley files]")
        }
        if entry.content == nil { lines.append("  (cannot be opened on this node)") }
        // A text or picture has only its author as next, who may edit it.
        let kinds: [String?] = [OutgoingMessage.textApp, OutgoingMessage.attachmentApp]
        let isOwn = kinds.contains(entry.content?.app)
        let next = entry.next.filter { isLong || !isOwn && names.knows($0) }.map(names.name)
        if !next.isEmpty { lines.append("  next: " + safe(next.joined(separator: ", "))) }
        if isLong { lines.append("  " + output.style(.dim, "session \(entry.session)")) }
        return lines
    }

    private func captions(_ layout: ContentLayout?) -> [String] {
        guard let layout else { return [] }
        var lines: [String] = []
        if let image = layout.image {
            let titles = [layout.imageTitle, layout.imageSubtitle].compactMap(\.self)
            let state = image.isHere ? "" : ", not arrived yet"
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
            let texts = [leading, trailing].compactMap(\.self).map(names.resolved)
            guard !texts.isEmpty else { continue }
            lines += texts.joined(separator: "  |  ")
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { "  " + safe(String($0)) }
        }
        return lines
    }

    private func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

    private func name(_ sender: Participant) -> String {
        safe(EntryNames.name(of: sender))
    }

    /// A text of a message with names, safe for a terminal.
    private func drawn(_ text: String) -> String { safe(names.resolved(text)) }

    private func safe(_ text: String) -> String { TerminalText.safe(text) }
}
