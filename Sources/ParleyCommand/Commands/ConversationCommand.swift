import ArgumentParser
import ParleyAPI

/// `parley conversation`.
struct ConversationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversation",
        abstract: "Make, list and leave conversations.",
        subcommands: [Create.self, List.self, Leave.self]
    )

    /// `parley conversation create`.
    struct Create: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a conversation with a new key.",
            discussion: "Example: parley conversation create games"
        )
        @Argument(help: "What to call it: 1 to 64 bytes.") var name: String
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let made = try await client.post(
                "conversations",
                CreateDocument(name: name),
                as: ConversationDocument.self
            )
            if common.json { return try Output.standard.document(made) }
            Output.standard.line("Made \(TerminalText.safe(made.name)). Let others in with:")
            Output.standard.line("  parley invite \(ShellWord.quoted(made.name))")
        }
    }

    /// `parley conversation list`.
    struct List: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "The conversations of this node."
        )
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let all = try await client.get("conversations", as: [ConversationDocument].self)
            if common.json { return try Output.standard.document(all) }
            guard !all.isEmpty else {
                Output.standard.line(
                    "No conversations. Make one with: parley conversation create NAME"
                )
                return
            }
            var table = TextTable(["NAME", "ROLE", "PARTICIPANTS", "ID"])
            for one in all {
                let people = one.participants.map { $0.name ?? String($0.device.prefix(8)) }
                table.add([
                    TerminalText.safe(one.name) + (one.open ? " (open)" : ""), one.role,
                    TerminalText.fitted(
                        TerminalText.safe(people.joined(separator: ", ")),
                        columns: 40
                    ),
                    String(one.id.prefix(16)),
                ])
            }
            Output.standard.table(table)
        }
    }

    /// `parley conversation leave`.
    struct Leave: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a conversation and everything in it, on this node.",
            discussion: "Others keep theirs. To come back, an invite is needed."
        )
        @Argument(help: "Which one.") var name: String
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            try await client.delete(PathText.conversation(name))
            if common.json { return try Output.standard.document(["left": name]) }
            Output.standard.line("Left \(TerminalText.safe(name)).")
        }
    }
}
