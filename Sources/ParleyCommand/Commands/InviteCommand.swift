import ArgumentParser
import ParleyAPI

/// `parley invite`.
struct InviteCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print an invite, a link that lets others join.",
        discussion: """
            Everybody who has the link has its role, permanently. Pass it on with care.

              parley invite games
              parley invite games --role reader --qr
            """
    )
    @Argument(help: "The conversation (default: the only one).") var name: String?
    @Option(help: "The role that it gives: writer, reader or relay.") var role = RoleOption.writer
    @Flag(help: "Show the link as a QR code too.") var qr = false
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let invite = try await make(client)
        if common.json { return try Output.standard.document(invite) }
        if qr {
            for line in try QRText.lines(invite.link) { Output.standard.line(line) }
        }
        Output.standard.line(invite.link)
    }

    private func make(_ client: ControlClient) async throws -> Invite {
        let name = try await ConversationOption.name(name, client)
        do {
            return try await client.post(
                PathText.conversation(name) + "/invites",
                InviteRequest(role: role.rawValue),
                as: Invite.self
            )
        } catch var problem as Problem where problem.kind == .readOnly {
            let words = "invite \(ShellWord.quoted(name)) --role relay"
            problem.hint = "Readers and relays may invite relays: parley \(words)"
            throw problem
        }
    }
}

/// The role of an invite, as an option.
enum RoleOption: String, ExpressibleByArgument, CaseIterable {
    case writer
    case reader
    case relay
}
