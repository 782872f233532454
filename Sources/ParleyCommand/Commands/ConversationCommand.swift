import ArgumentParser
import ParleyAPI

/// `parley conversation`.
struct ConversationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversation",
        abstract: "Create, list and leave conversations, and change their keys.",
        subcommands: [Create.self, List.self, Leave.self, Members.self, Rotate.self]
    )

    /// `parley conversation create`.
    struct Create: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a conversation with a new key.",
            discussion: "Example: parley conversation create games"
        )
        @Argument(help: "The name, 1 to 64 bytes.") var name: String
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let made = try await create(client)
            if common.json { return try Output.standard.document(made) }
            Output.standard.line("Created \(TerminalText.safe(made.name)). Invite others with:")
            Output.standard.line("  " + common.command("invite \(ShellWord.quoted(made.name))"))
        }

        private func create(_ client: ControlClient) async throws -> Conversation {
            do {
                return try await client.post(
                    "conversations",
                    CreateDocument(name: name),
                    as: Conversation.self
                )
            } catch var problem as Problem where problem.kind == .nameTaken {
                problem.hint = "Use that one, or choose another name. See: parley conversation list"
                throw problem
            }
        }
    }

    /// `parley conversation list`.
    struct List: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the conversations of this node.",
            discussion: """
                SIZE are the present messages with their pictures, and ACTIVE says when this node \
                stored something of the conversation last, to the minute.

                PARTICIPANTS are the devices whose messages this node has, and the device of this \
                node if it may write. Members that have sent nothing, readers and relays are not \
                among them: parley peers lists them, with the conversations that each shares.
                """
        )
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let all = try await client.get("conversations", as: [Conversation].self)
            if common.json { return try Output.standard.document(all) }
            guard !all.isEmpty else {
                let isRelay = try await client.get("status", as: NodeStatus.self).isRelay
                let (way, words) =
                    isRelay
                    ? ("Paste a relay invite of a member into", "join -")
                    : ("Create one with", "conversation create NAME")
                Output.standard.line("No conversations. \(way): \(common.command(words))")
                return
            }
            var table = TextTable([
                "NAME", "ROLE", "SESSIONS", "SIZE", "ACTIVE", "PARTICIPANTS", "ID",
            ])
            for one in all {
                let people = one.participants.map(EntryNames.name)
                table.add([
                    TerminalText.safe(one.name) + Self.mark(of: one), one.role.rawValue,
                    one.sessions.map(String.init) ?? "", one.bytes.map(TerminalText.size) ?? "",
                    one.lastActivity.map { TerminalText.age(of: $0) } ?? "",
                    TerminalText.fitted(
                        TerminalText.safe(people.joined(separator: ", ")),
                        columns: 40
                    ),
                    String(one.id.prefix(16)),
                ])
            }
            Output.standard.table(table)
        }

        private static func mark(of one: Conversation) -> String {
            guard let absence = one.absence else { return one.isOpen ? " (open)" : "" }
            return absence.isThrownOut ? " (out)" : " (no keys yet)"
        }
    }

    /// `parley conversation leave`.
    struct Leave: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave a conversation and delete everything in it from this node.",
            discussion: """
                Other nodes keep the conversation. Joining again needs an invite.

                Messages of this node that no other node has said to have, since this one was \
                started, would be lost: the command says how many they are and refuses, unless \
                --force is given.
                """
        )
        @Argument(help: "The conversation.") var name: String
        @Flag(help: "Leave although messages of this node may be lost.") var force = false
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            try await client.delete(PathText.conversation(name) + (force ? "?force=true" : ""))
            if common.json { return try Output.standard.document(["left": name]) }
            Output.standard.line("Left \(TerminalText.safe(name)).")
        }
    }
}
