/// An app that a node has.
package struct AppDocument: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// The app name in its messages, if it is not the ID.
    package var speaks: String?
    /// Present, and true, when it runs without a person.
    package var headless: Bool?

    package init(id: String, name: String, speaks: String? = nil, headless: Bool? = nil) {
        self.id = id
        self.name = name
        self.speaks = speaks
        self.headless = headless
    }
}

/// What a person does with an app.
package struct AppRequest: Codable, Hashable, Sendable {
    /// What it is.
    package enum Deed: String, Codable, Hashable, Sendable, CaseIterable {
        case open, close, expand, collapse
        /// Uses a view: `node`, `version`, `kind`, perhaps `text`.
        case act
        /// Taps a bubble: `message`; without it, the draft.
        case tap
        /// Presses Send.
        case send
        /// Removes the draft from the input field.
        case removeDraft
        /// Puts `text` into the input field.
        case type
    }

    package var deed: Deed
    package var node: String?
    package var version: UInt64?
    package var kind: String?
    package var text: String?
    package var message: String?

    package init(_ deed: Deed) {
        self.deed = deed
    }
}

/// An app as somebody without a page sees it.
package struct ScreenDocument: Codable, Hashable, Sendable {
    /// Something that can be used.
    package struct Action: Codable, Hashable, Sendable {
        /// The number in front of it in `text`.
        package var number: Int
        package var node: String
        /// `press`, `edit`, `submit`, `draw`.
        package var kinds: [String]

        package init(number: Int, node: String, kinds: [String]) {
            self.number = number
            self.node = node
            self.kinds = kinds
        }
    }

    /// The draft in the input field.
    package struct Draft: Codable, Hashable, Sendable {
        package var line: String
        package var url: String?
        /// Why it could not be sent.
        package var error: String?

        package init(line: String, url: String? = nil, error: String? = nil) {
            self.line = line
            self.url = url
            self.error = error
        }
    }

    /// A line of the transcript.
    package struct Bubble: Codable, Hashable, Sendable {
        package var kind: String
        package var id: String
        package var session: String
        package var sender: SenderDocument
        package var mine: Bool
        package var line: String
        /// Present, and true, when it is one of this app's, to be tapped.
        package var own: Bool?
        package var conflict: Bool?

        package init(
            kind: String,
            id: String,
            session: String,
            sender: SenderDocument,
            mine: Bool,
            line: String,
            own: Bool? = nil,
            conflict: Bool? = nil
        ) {
            self.kind = kind
            self.id = id
            self.session = session
            self.sender = sender
            self.mine = mine
            self.line = line
            self.own = own
            self.conflict = conflict
        }
    }

    /// Higher than those of all screens that the node made before.
    package var serial: UInt64
    package var app: AppDocument
    package var conversation: String
    /// `compact` or `expanded`; absent while it is closed.
    package var style: String?
    /// What an action refers to.
    package var version: UInt64
    /// The views, each that can be used with its number in front.
    package var text: String
    package var actions: [Action]
    package var draft: Draft?
    /// The text in the input field.
    package var typed: String
    /// Stickers and attachments in the input field.
    package var items: Int
    /// The end of the transcript, oldest first.
    package var bubbles: [Bubble]

    package init(
        serial: UInt64,
        app: AppDocument,
        conversation: String,
        style: String? = nil,
        version: UInt64,
        text: String,
        actions: [Action],
        draft: Draft? = nil,
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

    /// Whether nothing that people see is another.
    package func isSame(as other: ScreenDocument?) -> Bool {
        guard var other else { return false }
        other.serial = serial
        return self == other
    }
}
