import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley history`.
struct HistoryCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "What the latest message of a session replaced, oldest first.",
        discussion: """
              parley history SESSION
              parley history SESSION --replay
              parley history SESSION --replay --delay 1.5

            A node keeps of the last \(Self.kept) messages that were replaced who wrote them, \
            when, and their summaries; earlier ones are gone. Messages that have lost a conflict \
            come last until the next message of the session replaces them.

            --replay goes through what the session has shown one after the other, and ends with \
            the message that it shows now: on a terminal with each Enter, or by itself with \
            --delay; Ctrl-C ends it. With --json each step is an object on a line.
            """
    )
    /// The summaries that a node keeps of one session.
    private static let kept = MessageLimits.summaries
    /// The longest pause between two steps, in seconds.
    private static let delayMax = 3_600.0
    @Argument(help: "The session's UUID.") var session: String
    @Flag(help: "Step through the session as it was shown.") var replay = false
    @Option(
        help: ArgumentHelp(
            "Of --replay: the seconds between two steps, instead of Enter.",
            valueName: "s"
        )
    )
    var delay: Double?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let delay else { return }
        guard replay else { throw ValidationError("--delay belongs to --replay.") }
        guard delay >= 0, delay <= Self.delayMax else {
            throw ValidationError("--delay must be 0 to \(Int(Self.delayMax)) seconds.")
        }
    }

    func run(_ client: ControlClient) async throws {
        let path = "sessions/\(PathText.encoded(session))"
        if replay { return try await replay(client.get(path, as: SessionDetail.self), client) }
        let history = try await client.get(path + "/history", as: [TranscriptEntry].self)
        let output = Output.standard
        if common.json { return try output.document(history) }
        guard !history.isEmpty else {
            output.line("This node has no replaced messages of the session.")
            return
        }
        let detail = try await client.get(path, as: SessionDetail.self)
        let names = try await EntryNames(of: detail.conversation, client)
        var table = TextTable(["REVISION", "WHO", "WHEN", "SUMMARY", "MESSAGE"])
        for entry in history {
            let line = entry.summary
            let who = EntryNames.name(of: line.sender)
            let text = line.summaryText ?? entry.message?.content?.layout?.caption ?? "–"
            let mark = entry.message?.isConflict == true ? "in conflict: " : ""
            let summary = TerminalText.safe(names.resolved(mark + text))
            table.add([
                "\(line.revision)", TerminalText.safe(who), TerminalText.age(of: line.sentAt),
                TerminalText.fitted(summary, columns: 40), "\(line.id)",
            ])
        }
        output.table(table)
        if history.count(where: { $0.message == nil }) >= Self.kept {
            output.line(
                output.style(.dim, "A node keeps the last \(Self.kept); earlier ones are gone.")
            )
        }
    }

    // MARK: Replay

    /// Shows the replaced messages of the session, oldest first, and then the present message.
    private func replay(_ detail: SessionDetail, _ client: ControlClient) async throws {
        let output = Output.standard
        let steps = detail.replaced.map(TranscriptEntry.summary) + [.message(detail.shown)]
        let names =
            common.json ? EntryNames() : try await EntryNames(of: detail.conversation, client)
        let text = EntryText(output: output, names: names)
        for (number, step) in steps.enumerated() {
            if number > 0, try await !next() { return }
            if common.json {
                try output.object(ReplayStep(step: number + 1, of: steps.count, entry: step))
                continue
            }
            if number == 0, steps.count > 1, waitsForEnter {
                Output.error.line(output.style(.dim, "Enter shows the next one, Ctrl-C ends."))
            }
            let place = "\(number + 1) of \(steps.count), revision \(step.summary.revision)"
            output.line(output.style(.dim, place))
            for line in text.lines(step) { output.line(line) }
        }
        if !common.json, !detail.others.isEmpty {
            output.line(output.style(.yellow, "In conflict: see \(common.command("conflicts"))"))
        }
    }

    /// Waits for the next step; false if the person has ended the input.
    private func next() async throws -> Bool {
        if let delay {
            try await Task.sleep(for: .seconds(delay))
        }
        return waitsForEnter ? readLine() != nil : true
    }

    /// Whether a person decides when the next step comes.
    private var waitsForEnter: Bool {
        delay == nil && !common.json && Output.standard.isTerminal && isatty(STDIN_FILENO) == 1
    }
}

/// A line of `history --replay --json`.
struct ReplayStep: Codable, Hashable, Sendable {
    /// The number of the step, from 1, and the number of steps.
    var step: Int
    var of: Int
    var entry: TranscriptEntry
}
