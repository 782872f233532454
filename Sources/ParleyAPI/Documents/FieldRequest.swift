/// A line of a drawing.
package struct StrokeDocument: Codable, Hashable, Sendable {
    /// Two numbers for each point.
    package var points: [[Double]]
    package var width: Double

    package init(points: [[Double]], width: Double) {
        self.points = points
        self.width = width
    }
}

/// An action of a person on the input field of a conversation.
package struct FieldRequest: Codable, Hashable, Sendable {
    /// The kind of the action.
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// Sends `text`, and everything that apps have put into the field.
        case send
        /// Removes what `app` has put into the field.
        case removeDraft
        /// Takes the text that `app` has inserted out of the field.
        case takeText
    }

    package var deed: Action
    package var text: String?
    package var app: String?
    /// The session that `text` replies to, a UUID.
    package var reply: String?

    package init(_ action: Action) {
        deed = action
    }
}

/// The emoji that a person puts on a message.
package struct ReactionDocument: Codable, Hashable, Sendable {
    package var emoji: String
}

/// The new text of a message that was sent here.
package struct EditDocument: Codable, Hashable, Sendable {
    package var text: String
}
