public import Foundation
public import Messages

/// An app as a host registers it, with class, names and rules.
public struct HostedApp: Sendable {
    /// The ID by which commands, pages and other programs name the app, at most 255 bytes.
    public let id: String
    /// The name of the app for people.
    public let name: String
    /// The app name in messages; a bot uses the name of the game that it plays.
    public let speaks: String
    /// Whether the app runs without a person, in every conversation where this node may write.
    public let startsHeadless: Bool

    /// Whether the app has something to show; people are not offered an app without a screen.
    public let hasScreen: Bool
    /// One line that introduces the app.
    public let line: String?
    /// The icon; nil for the initials of the name.
    package let icon: EncodedImage?

    /// The largest icon, in bytes.
    package static let iconBytesMax = 32 << 10
    /// Returns who is next after a message of the app; empty if everybody may go on.
    ///
    /// The arguments are the message, its sender, and the other participants.
    public typealias Turns = @MainActor @Sendable (MSMessage, UUID, [UUID]) -> [UUID]

    /// The rule of turns; it does not apply to messages for which the app calls `setNext`.
    let turns: Turns?
    /// Whether nodes refuse messages of participants who are not next.
    let turnsAreBinding: Bool

    /// The rules of a match, a function of the two messages that it gets and of nothing else.
    public typealias Rules = @Sendable (ParleyMove) -> ParleyRuling

    /// The rules of a match; nil for an app that leaves them to its users.
    let rules: Rules?
    /// Whether messages of a match have parts for single players.
    let hasParts: Bool
    /// The number of seats in a match of the app, within 1 to 16; nil for an app without matches.
    let seats: ClosedRange<Int>?
    /// Whether there is something to see for those who have no seat.
    let mayWatch: Bool

    private let type: MSMessagesAppViewController.Type

    /// An app.
    ///
    /// - Parameters:
    ///   - type: The class of the app's controller.
    ///   - id: A unique reverse domain name; if nil, the ID is made of module and class.
    ///   - name: The name for people; if nil, the name of the class.
    ///   - speaks: The app name in its messages; if nil, the ID.
    ///   - startsHeadless: Whether the app runs without a person.
    ///   - hasScreen: Whether the app has something to show; false for a bot.
    ///   - line: One line that introduces the app.
    ///   - icon: The content of a picture file, SVG for example, of at most 32 KiB; anything else
    ///     is left out.
    ///   - turns: Says who is next after a message; if nil, everybody.
    ///   - turnsAreBinding: Whether nodes refuse messages of everybody else, also of participants
    ///     who join later. If false, pages say whose turn it is, and everybody may send.
    ///   - seats: How many play a match, within 1 to 16; the host then shows the seats and their
    ///     buttons over the app's views. If nil, the app has no matches.
    ///   - watching: Whether there is something to see for those who have no seat.
    ///   - parts: Whether messages of a match have secrets for single players (`seal`).
    ///   - rules: Says whether a message of a match is within the rules, on all nodes with the app.
    public init(
        _ type: MSMessagesAppViewController.Type,
        id: String? = nil,
        name: String? = nil,
        speaks: String? = nil,
        startsHeadless: Bool = false,
        hasScreen: Bool = true,
        line: String? = nil,
        icon: Data? = nil,
        turns: Turns? = nil,
        turnsAreBinding: Bool = true,
        seats: ClosedRange<Int>? = nil,
        watching: Bool = true,
        parts: Bool = false,
        rules: Rules? = nil
    ) {
        let words = String(reflecting: type).split(separator: ".").map(String.init)
        let id = id ?? words.joined(separator: ".")
        self.type = type
        self.id = id
        // Xcode's template gives every app's controller the same name, so the module's name is
        // used.
        self.name =
            name
            ?? (words.last == "MessagesViewController" ? words.first : words.last)
            ?? id
        self.speaks = speaks ?? id
        self.startsHeadless = startsHeadless
        self.hasScreen = hasScreen
        self.line = line
        // Bytes that are no picture, or too many, are left out as if there were none.
        self.icon = icon.flatMap { $0.count <= Self.iconBytesMax ? try? EncodedImage($0) : nil }
        self.turns = turns
        self.turnsAreBinding = turnsAreBinding
        self.seats = seats?.clamped(to: 1...16)
        mayWatch = watching
        hasParts = parts
        self.rules = rules
    }

    /// Makes a new controller; nil if the class returns none.
    @MainActor
    package func makeController() -> MSMessagesAppViewController? {
        type.makeController()
    }

    /// Whether `word` is the ID of this app, the end of the ID after a dot, or the name.
    package func isCalled(_ word: String) -> Bool {
        let word = word.lowercased()
        let id = id.lowercased()
        return id == word || id.hasSuffix("." + word) || name.lowercased() == word
    }
}
