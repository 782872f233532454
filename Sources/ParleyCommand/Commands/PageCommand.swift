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
              parley page --qr
              parley page --sign-out
            """
    )
    @Flag(help: "Sign out all browsers first, and void all links that nobody has used.")
    var signOut = false
    @Flag(help: "Show the link as a QR code too.") var qr = false
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let made = try await client.makePageLink(signsOut: signOut)
        if common.json { return try Output.standard.document(made) }
        Output.standard.line(made.link)
        if qr { for line in try QRText.lines(made.link) { Output.standard.line(line) } }
    }
}

extension ControlClient {
    /// Asks the node for a link that opens its page in one browser, once.
    ///
    /// `signsOut` voids the earlier links and signs out all browsers first.
    func makePageLink(signsOut: Bool = false) async throws -> PageLinkDocument {
        struct NoFields: Encodable {}
        return try await post(
            "page/links" + (signsOut ? "?signOut=true" : ""),
            NoFields(),
            as: PageLinkDocument.self
        )
    }
}
