import ArgumentParser
import Foundation
import ParleyAPI
import ParleyKeys

/// `parley join`.
struct JoinCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a conversation by its invite.",
        discussion: """
              parley join -
              wl-paste | parley join - --as games
              parley join open:lobby

            With -, the invite is read from standard input, also if its line was wrapped. As an \
            argument it works too, and then every user of this machine can read it in the list of \
            processes, and it stays in the history of the shell: join open conversations so, which \
            are no secret.

            An invite that ends asks the machine of who made it, which has to be up.
            """
    )
    @Argument(
        help: ArgumentHelp("- to read the invite, open:NAME, or the invite.", valueName: "link")
    )
    var link: String
    @Option(name: .customLong("as"), help: "The name of the conversation on this node.") var name:
        String?
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let document = JoinDocument(link: try await text(), name: name)
        let joined: Conversation
        do {
            // The machine of an invite that ends may have to be found.
            joined =
                try await client.with { $0.waiting(Self.knockSeconds) }
                .post("join", document, as: Conversation.self)
        } catch var problem as Problem where problem.kind == .nameTaken {
            problem.hint = "Choose another name with: parley join - --as NAME"
            throw problem
        }
        if common.json { return try Output.standard.document(joined) }
        if link != "-", !joined.isOpen { warn() }
        Output.standard.line("Joined \(TerminalText.safe(joined.name)) as a \(joined.role).")
        if joined.role != .relay {
            let words = "transcript -c \(ShellWord.quoted(joined.name)) --follow"
            Output.standard.line("  " + common.command(words))
        }
    }

    /// How long a node waits for the other one that made an invite that ends.
    private static let knockSeconds = 30.0
    /// The number of bytes that are surely no invite.
    private static let bytesMax = 1_024

    private func text() async throws -> String {
        guard link == "-" else { return link }
        let isTerminal = isatty(0) == 1
        if isTerminal { Output.error.line("Paste the invite and press Enter:") }
        do {
            let input = LineInput(descriptor: 0)
            var text = ""
            // Programs wrap long lines, and a person at a terminal types a single one.
            while text.utf8.count <= Self.bytesMax, let line = try await input.nextText() {
                text += line.trimmingCharacters(in: .whitespacesAndNewlines)
                guard !isTerminal, !InviteLink.isWhole(text) else { break }
            }
            guard !text.isEmpty else { throw Problem(.badInvite, "Standard input has no invite.") }
            return text
        } catch let problem as Problem where problem.kind == .badInput {
            throw Problem(.badInvite, InviteError.notText.message, hint: InviteError.notText.hint)
        }
    }

    /// Tells a person that the invite was a secret in an argument.
    private func warn() {
        Output.error.line(
            "warning: Other users of this machine could read the invite in the list of processes. "
                + "Next time: \(ProgramName.text) join -"
        )
    }
}
