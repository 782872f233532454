public import Messages

/// An app as a host knows it: its class, what it is called, and which messages are its own.
public struct HostedApp: Sendable {
    /// What commands, pages and other programs call it, at most 255 bytes.
    public let id: String
    /// What people call it.
    public let name: String
    /// The app name in its messages; a bot has that of the game it plays.
    public let speaks: String
    /// Whether it runs without a person, in every conversation in which this node may write.
    public let startsHeadless: Bool

    private let type: MSMessagesAppViewController.Type

    /// An app.
    ///
    /// - Parameters:
    ///   - type: The class of its controller.
    ///   - id: A name that no other app has, as a reverse domain name; nil: module and class.
    ///   - name: What people call it; nil: after the class.
    ///   - speaks: The app name in its messages; nil: its ID.
    ///   - startsHeadless: Whether it runs without a person.
    public init(
        _ type: MSMessagesAppViewController.Type,
        id: String? = nil,
        name: String? = nil,
        speaks: String? = nil,
        startsHeadless: Bool = false
    ) {
        let words = String(reflecting: type).split(separator: ".").map(String.init)
        let id = id ?? words.joined(separator: ".")
        self.type = type
        self.id = id
        // Xcode's template calls every app's controller alike.
        self.name =
            name
            ?? (words.last == "MessagesViewController" ? words.first : words.last)
            ?? id
        self.speaks = speaks ?? id
        self.startsHeadless = startsHeadless
    }

    /// A controller of its own, nil if the class makes none.
    @MainActor
    package func makeController() -> MSMessagesAppViewController? {
        type.makeApp()
    }

    /// Whether a person means this app by `word`: its ID, the end of it after a dot, or its name.
    package func isCalled(_ word: String) -> Bool {
        let word = word.lowercased()
        let id = id.lowercased()
        return id == word || id.hasSuffix("." + word) || name.lowercased() == word
    }
}
