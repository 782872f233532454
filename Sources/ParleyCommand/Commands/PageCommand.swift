import ArgumentParser
import ParleyAPI

/// `parley page`.
struct PageCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Print a link that opens the page of the running node in one browser, once.",
        discussion: """
            The browser stays signed in for 30 days, also when the node restarts.

              parley page
              parley page --sign-out
            """
    )
    @Flag(help: "Sign out all browsers first, and void all links that nobody has used.")
    var signOut = false
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let made = try await client.post(
            "page/links" + (signOut ? "?signOut=true" : ""),
            NoFields(),
            as: PageLinkDocument.self
        )
        if common.json { return try Output.standard.document(made) }
        Output.standard.line(made.link)
    }

    /// The body of a request that needs none.
    private struct NoFields: Encodable {}
}
