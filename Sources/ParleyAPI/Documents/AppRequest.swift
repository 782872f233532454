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
    /// Whether a tap also takes a seat in the match of the message.
    package var join: Bool?
    /// The size that the page offers for a bubble, in points.
    package var width: Double?
    package var height: Double?

    package init(_ action: Action) {
        deed = action
    }
}
