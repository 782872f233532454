import ArgumentParser
import ParleyAPI

/// `parley page`.
struct PageCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Print a link that opens the page of the running node in one browser.",
        discussion: """
            The link works once, within an hour. The browser stays signed in for 30 days, also \
            when the node restarts.

              parley page
              parley page --conversation games
              parley page --sign-out
            """
    )
    @Option(name: .shortAndLong, help: "The conversation that the page opens.")
    var conversation: String?
    @Flag(help: "Sign out all browsers first, and void all links that nobody has used.")
    var signOut = false
    @Flag(help: "Show the link as a QR code too, if other devices can open it.") var qr = false
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let made = try await client.makePageLink(to: conversation, signsOut: signOut)
        if common.json { return try Output.standard.document(made) }
        Output.standard.line(made.link)
        guard qr else { return }
        for line in try PageLinkText(made.link).codeLines() { Output.standard.line(line) }
    }
}

extension ControlClient {
    /// Asks the node for a one-time link, which opens the page in one browser.
    ///
    /// The page opens `conversation`, if any. `signsOut` voids the earlier links and signs out all
    /// browsers first.
    func makePageLink(
        to conversation: String? = nil,
        signsOut: Bool = false
    ) async throws -> PageLinkDocument {
        struct NoFields: Encodable {}
        var query = ["signOut=\(signsOut)"]
        if let conversation { query.append("conversation=\(PathText.encoded(conversation))") }
        return try await post(
            "page/links?" + query.joined(separator: "&"),
            NoFields(),
            as: PageLinkDocument.self
        )
    }
}
