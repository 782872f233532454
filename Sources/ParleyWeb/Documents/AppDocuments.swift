package import Foundation
package import ParleyAPI

/// An app of a node.
package struct AppDocument: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// The app name in the messages of the app, if it is not the ID.
    package var speaks: String?
    /// Present and true if the app runs without a person.
    package var headless: Bool?
    /// Present and false if the app has nothing to show, as a bot.
    package var hasScreen: Bool?
    /// One line about the app for new users.
    package var line: String?
}

/// The icon of an app.
package struct IconDocument: Codable, Hashable, Sendable {
    /// The media type that the bytes have.
    package var type: String
    /// The bytes; in Base64 in JSON.
    package var data: Data
}

/// The screen of an app as text.
package struct ScreenDocument: Codable, Hashable, Sendable {
    /// A view that has actions.
    package struct Action: Codable, Hashable, Sendable {
        /// The number before the view in `text`, which the view keeps while the screen goes on.
        package var number: Int
        package var node: String
        /// The possible actions: `press`, `edit`, `submit`, `draw`.
        package var kinds: [String]
    }

    /// The draft in the input field.
    package struct StagedDraft: Codable, Hashable, Sendable {
        package var line: String
        package var url: String?
        /// Why the draft could not be sent.
        package var error: String?
    }

    /// A sticker on a message, or one that waits in the input field.
    package struct Sticker: Codable, Hashable, Sendable {
        /// The session of the sticker.
        package var id: String
        package var description: String
        /// Present and true if this device has placed the sticker, and can peel it off.
        package var mine: Bool?
    }

    /// A line of the transcript.
    package struct Bubble: Codable, Hashable, Sendable {
        package var kind: String
        package var id: String
        package var session: String
        package var sender: Participant
        package var mine: Bool
        package var line: String
        /// Present and true if the message belongs to the app and can be tapped.
        package var own: Bool?
        /// The number of the message's session for people; absent for a summary.
        package var number: Int?
        package var conflict: Bool?
        /// The stickers on the message, the oldest first.
        package var stickers: [Sticker]?
    }

    /// A number that is higher than those of all earlier screens of the node.
    package var serial: UInt64
    package var app: AppDocument
    package var conversation: String
    /// `compact` or `expanded`; absent while the app is closed.
    package var style: String?
    /// The version of the screen, which actions refer to.
    package var version: UInt64
    /// The lines of the screen, with a number before each view that has actions.
    package var text: String
    package var actions: [Action]
    package var draft: StagedDraft?
    /// The text in the input field.
    package var typed: String
    /// Stickers and attachments in the input field.
    package var items: Int
    /// The stickers among them.
    package var stickers: [Sticker]?
    /// The last entries of the transcript, oldest first.
    package var bubbles: [Bubble]

    /// Whether the screens look the same to people, whatever their serial numbers.
    package func isSame(as other: ScreenDocument?) -> Bool {
        guard var other else { return false }
        other.serial = serial
        return self == other
    }
}
