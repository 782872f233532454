import ArgumentParser
import Foundation
import NIOCore
import ParleyAPI

/// `parley transcript`.
struct TranscriptCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcript",
        abstract: "Print the shown message of each session and the summaries, in order.",
        discussion: """
              parley transcript -c games
              parley transcript -c games --follow --json | jq .url

            --follow prints the present entries and then every entry that changes, until Ctrl-C.
            """
    )
    @Option(name: .shortAndLong, help: "The conversation.") var conversation: String
    @Flag(name: .shortAndLong, help: "Continue with every entry that changes.") var follow = false
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let path = PathText.conversation(conversation) + "/transcript"
        if follow { return try await follow(client, path + "/events") }
        let entries = try await client.get(path, as: [EntryDocument].self)
        if common.json { return try Output.standard.document(entries) }
        guard !entries.isEmpty else {
            Output.standard.line("There are no messages yet.")
            return
        }
        var names = try await EntryNames(of: conversation, client)
        for entry in entries { print(entry, &names) }
    }

    private func follow(_ client: ControlClient, _ path: String) async throws {
        var names = common.json ? EntryNames() : try await EntryNames(of: conversation, client)
        try await client.stream(path) { body in
            var parser = EventParser()
            while let part = try await body.next() {
                for event in parser.add(part.readableBytesView) { try take(event, &names) }
            }
        }
        throw Problem.nodeWentAway
    }

    private func take(_ event: EventParser.Event, _ names: inout EntryNames) throws {
        switch event.name {
        case "entry":
            let entry = try ControlClient.decode(EntryDocument.self, from: event.data)
            if common.json { try Output.standard.object(entry) } else { print(entry, &names) }
        case "problem": throw try ControlClient.decode(Problem.self, from: event.data)
        default: break
        }
    }

    private func print(_ entry: EntryDocument, _ names: inout EntryNames) {
        names.learn(entry.sender)
        let text = EntryText(output: .standard, names: names)
        for line in text.lines(entry) { Output.standard.line(line) }
    }
}
