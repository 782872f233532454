import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley search`.
struct SearchCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages by their words.",
        discussion: """
              parley search pizza friday
              parley search -c games 'ada wins' --limit 5

            A message is found if its text has all words, in any order, whatever the case and the \
            accents; a part of a word is enough. The latest come first.
            """
    )
    @Argument(help: "The words.") var words: [String]
    @Option(
        name: [.customShort("c"), .customLong("conversation")],
        help: "The conversation (default: all that this node can read)."
    )
    var conversation: String?
    @Option(help: "Print at most N messages.") var limit = 20
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...TranscriptPage.entriesMax).contains(limit) else {
            throw ValidationError(
                "--limit is a number from 1 to \(TranscriptPage.entriesMax)."
            )
        }
    }

    func run(_ client: ControlClient) async throws {
        var path = "search?limit=\(limit)&text=\(PathText.encoded(words.joined(separator: " ")))"
        if let conversation { path += "&conversation=\(PathText.encoded(conversation))" }
        let found = try await client.get(path, as: SearchResult.self)
        let output = Output.standard
        if common.json { return try output.document(found) }
        if found.hits.isEmpty { output.line("Nothing was found.") }
        for hit in found.hits { print(hit, to: output) }
        if found.hasMore {
            let more = min(limit * 5, TranscriptPage.entriesMax)
            let text = "There are others; for more of them: --limit \(more)"
            output.line(output.style(.dim, text))
        }
        if !found.isComplete {
            output.line(
                output.style(.dim, "There is too much text to search: some was left out.")
            )
        }
    }

    private func print(_ hit: SearchHit, to output: Output) {
        let age = TerminalText.age(of: hit.sentAt, now: Date())
        let who = TerminalText.safe(EntryNames.name(of: hit.sender))
        let place = "  \(age)  in \(TerminalText.safe(hit.conversation))"
        output.line(output.style(.bold, who) + output.style(.dim, place))
        output.line("  " + TerminalText.safe(hit.text))
    }
}
