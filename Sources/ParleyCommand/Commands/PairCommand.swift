import ArgumentParser
import ParleyAPI

/// `parley pair`.
struct PairCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Share a conversation with a device nearby: compare six digits, no link to copy.",
        discussion: """
              parley nearby
              parley pair kitchen --conversation games

            Over there, somebody answers on the page, or with:

              parley pair attic

            Both screens then show six digits. If they are the same, both people say yes, and the \
            conversation is shared. If they differ, somebody is between you: say no.

            The answer, yes or no, is read from standard input.
            """
    )
    @Argument(help: "The device: its name, the beginning of its ID, or its address.")
    var device: String
    @Option(name: .shortAndLong, help: "The conversation to share; without it, the other shares.")
    var conversation: String?
    @Option(help: "The role that the other device gets: writer, reader or relay.")
    var role = RoleOption.writer
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let request = PairRequest(device: device, conversation: conversation, role: role.rawValue)
        try await PairingDialog(request, json: common.json).run(client)
    }
}
