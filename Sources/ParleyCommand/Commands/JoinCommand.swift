import ArgumentParser
import Foundation
import ParleyAPI

/// `parley join`.
struct JoinCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a conversation by its invite.",
        discussion: """
              parley join 'parley:…'
              parley join open:lobby
              wl-paste | parley join - --as games

            With -, the link is read from standard input, so that it does not appear in the \
            process list.
            """
    )
    @Argument(help: ArgumentHelp("The invite, open:NAME, or -.", valueName: "link"))
    var link: String
    @Option(name: .customLong("as"), help: "The name of the conversation on this node.") var name:
        String?
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let document = JoinDocument(link: try await text(), name: name)
        let joined: ConversationDocument
        do {
            joined = try await client.post("join", document, as: ConversationDocument.self)
        } catch var problem as Problem where problem.kind == .nameTaken {
            problem.hint = "Choose another name with: parley join LINK --as NAME"
            throw problem
        }
        if common.json { return try Output.standard.document(joined) }
        Output.standard.line("Joined \(TerminalText.safe(joined.name)) as a \(joined.role).")
        if joined.role != "relay" {
            let words = "transcript -c \(ShellWord.quoted(joined.name)) --follow"
            Output.standard.line("  " + common.command(words))
        }
    }

    private func text() async throws -> String {
        guard link == "-" else { return link }
        if isatty(0) == 1 { Output.error.line("Paste the invite and press Enter:") }
        let input = LineInput(descriptor: 0)
        guard let line = try await input.next() else {
            throw Problem(.badInvite, "Standard input has no invite.")
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
