import ArgumentParser
import Foundation
import ParleyAPI
import ParleyNode

/// `parley transcript`.
struct TranscriptCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcript",
        abstract: "Print the shown message of each session and the summaries, in order.",
        discussion: """
              parley transcript -c games
              parley transcript -c games --limit 500 --long
              parley transcript -c games --follow --json | jq .url

            On a terminal these are the last \(Self.onTerminal) entries, and all of them elsewhere \
            or with --json. --follow prints the present entries in the same way and then every \
            entry that changes, until Ctrl-C. If the node is started again within --timeout, it \
            goes on with what has changed meanwhile.
            """
    )
    /// The entries that are printed on a terminal.
    private static let onTerminal = 50

    @OptionGroup var conversation: ConversationOption
    @Flag(name: .shortAndLong, help: "Continue with every entry that changes.") var follow = false
    @Option(help: "Print the last N entries.") var limit: Int?
    @Flag(help: "Print all entries.") var all = false
    @Flag(help: "With the session, the revision and the URL of each message.") var long = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let limit else { return }
        guard !all else { throw ValidationError("--limit and --all exclude each other.") }
        guard limit > 0 else { throw ValidationError("--limit is a number from 1 on.") }
        guard !follow || limit <= TranscriptPage.entriesMax else {
            throw ValidationError(
                "With --follow, --limit is at most \(TranscriptPage.entriesMax); or use --all."
            )
        }
    }

    /// The most entries to print; nil for all.
    private var count: Int? {
        guard limit == nil, !all else { return limit }
        return Output.standard.isTerminal && !common.json ? Self.onTerminal : nil
    }

    func run(_ client: ControlClient) async throws {
        let conversation = try await conversation.name(client)
        if follow { return try await follow(conversation, client) }
        var array = ArrayOutput(.standard)
        var names = common.json ? EntryNames() : try await EntryNames(of: conversation, client)
        var isEmpty = true
        func take(_ entries: [TranscriptEntry]) throws {
            isEmpty = isEmpty && entries.isEmpty
            if common.json { return try array.add(entries) }
            for entry in entries { Self.print(entry, &names, isLong: long) }
        }
        let pages = TranscriptPages(of: conversation)
        func get(_ path: String) async throws -> TranscriptPage {
            try await client.get(path, as: TranscriptPage.self)
        }
        if let count {
            let page = try await pages.last(count, get)
            if page.next != nil, !common.json, Output.standard.isTerminal {
                let text = "Earlier entries are left out; for all of them: --all"
                Output.standard.line(Output.standard.style(.dim, text))
            }
            try take(page.entries)
        } else {
            try await pages.all(get, take)
        }
        if common.json { return array.end() }
        if isEmpty { Output.standard.line("There are no messages yet.") }
    }

    private func follow(_ conversation: String, _ client: ControlClient) async throws {
        let last = count.map { "?limit=\($0)" } ?? ""
        var follower = TranscriptFollower(
            conversation: conversation,
            path: PathText.conversation(conversation) + "/transcript/events" + last,
            isLong: long,
            common: common
        )
        try await follower.run(client)
    }

    /// Prints an entry for people, and learns the name of its sender.
    static func print(_ entry: TranscriptEntry, _ names: inout EntryNames, isLong: Bool) {
        names.learn(entry.summary.sender)
        let text = EntryText(output: .standard, names: names, isLong: isLong)
        for line in text.lines(entry) { Output.standard.line(line) }
    }
}
