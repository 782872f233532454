package import Foundation

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
    /// One line about the app for people who do not know it.
    package var line: String?

    package init(
        id: String,
        name: String,
        speaks: String? = nil,
        headless: Bool? = nil,
        hasScreen: Bool? = nil,
        line: String? = nil
    ) {
        self.id = id
        self.name = name
        self.speaks = speaks
        self.headless = headless
        self.hasScreen = hasScreen
        self.line = line
    }
}

/// The icon of an app.
package struct IconDocument: Codable, Hashable, Sendable {
    /// The media type that the bytes have.
    package var type: String
    /// The bytes; in Base64 in JSON.
    package var data: Data

    package init(type: String, data: Data) {
        self.type = type
        self.data = data
    }
}

/// An action of a person on an app.
package struct AppRequest: Codable, Hashable, Sendable {
    /// The kind of the action.
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        case open, close, expand, collapse
        /// Acts on a view: `node`, `version`, `kind`, and `text` or `stroke` for some kinds;
        /// `fields` are told before a press.
        case act
        /// Taps the bubble of `message`, or the draft if `message` is absent.
        case tap
        /// Presses Send.
        case send
        /// Removes the draft from the input field.
        case removeDraft
        /// Puts `text` into the input field.
        case type
    }

    package var deed: Action
    package var node: String?
    package var version: UInt64?
    package var kind: String?
    package var text: String?
    package var stroke: StrokeDocument?
    /// The texts of text fields, by their nodes.
    package var fields: [String: String]?
    package var message: String?
    /// The size that the page offers for a bubble, in points.
    package var width: Double?
    package var height: Double?

    package init(_ action: Action) {
        deed = action
    }
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

        package init(number: Int, node: String, kinds: [String]) {
            self.number = number
            self.node = node
            self.kinds = kinds
        }
    }

    /// The draft in the input field.
    package struct StagedDraft: Codable, Hashable, Sendable {
        package var line: String
        package var url: String?
        /// Why the draft could not be sent.
        package var error: String?

        package init(line: String, url: String? = nil, error: String? = nil) {
            self.line = line
            self.url = url
            self.error = error
        }
    }

    /// A sticker on a message, or one that waits in the input field.
    package struct Sticker: Codable, Hashable, Sendable {
        /// The session of the sticker.
        package var id: String
        package var description: String
        /// Present and true if this device has placed it, and can peel it off.
        package var mine: Bool?

        package init(id: String, description: String, mine: Bool? = nil) {
            self.id = id
            self.description = description
            self.mine = mine
        }
    }

    /// A line of the transcript.
    package struct Bubble: Codable, Hashable, Sendable {
        package var kind: String
        package var id: String
        package var session: String
        package var sender: Participant
        package var mine: Bool
        package var line: String
        /// Present and true if the message belongs to this app, so that it can be tapped.
        package var own: Bool?
        /// The number of the message's session for people; absent for a summary.
        package var number: Int?
        package var conflict: Bool?
        /// The stickers on the message, the oldest first.
        package var stickers: [Sticker]?

        package init(
            kind: String,
            id: String,
            session: String,
            sender: Participant,
            mine: Bool,
            line: String,
            own: Bool? = nil,
            number: Int? = nil,
            conflict: Bool? = nil,
            stickers: [Sticker]? = nil
        ) {
            self.kind = kind
            self.id = id
            self.session = session
            self.sender = sender
            self.mine = mine
            self.line = line
            self.own = own
            self.number = number
            self.conflict = conflict
            self.stickers = stickers
        }
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

    package init(
        serial: UInt64,
        app: AppDocument,
        conversation: String,
        style: String? = nil,
        version: UInt64,
        text: String,
        actions: [Action],
        draft: StagedDraft? = nil,
        typed: String,
        items: Int,
        bubbles: [Bubble]
    ) {
        self.serial = serial
        self.app = app
        self.conversation = conversation
        self.style = style
        self.version = version
        self.text = text
        self.actions = actions
        self.draft = draft
        self.typed = typed
        self.items = items
        self.bubbles = bubbles
    }

    /// Whether the screens look the same to people, whatever their serial numbers.
    package func isSame(as other: ScreenDocument?) -> Bool {
        guard var other else { return false }
        other.serial = serial
        return self == other
    }
}
