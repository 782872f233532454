package import ParleyAPI

/// The screen of an app as views.
package struct PanelDocument: Codable, Hashable, Sendable {
    package var app: AppDocument
    package var conversation: String
    /// A number that is higher than those of all earlier screens of the node.
    package var serial: UInt64
    /// `compact` or `expanded`; absent while the app is closed.
    package var style: String?
    /// The ID of the message that is selected in the app; absent if it is none, or is not sent yet.
    package var selected: String?
    /// The version of the screen, which actions refer to.
    package var version: UInt64
    /// Absent while the app is closed.
    package var tree: ViewDocument?
    /// The dialogs over the views, the uppermost last; absent if there are none.
    package var dialogs: [ViewDocument]?
}

/// A view with the views inside it; which fields there are depends on the kind.
package struct ViewDocument: Codable, Hashable, Sendable {
    /// The identity of the view, unique in its tree.
    package var id: String
    /// The name of the case of `ParleyView.Content`.
    package var kind: String
    /// The text that a screen reader speaks.
    package var label: String?
    /// Whether actions are accepted.
    package var enabled: Bool
    /// The possible actions: `press`, `edit`, `submit`, `draw`.
    package var takes: [String]
    package var children: [ViewDocument]
    /// A text, the title of a button, the content of a text field, or what a sticker shows.
    package var text: String?
    /// How prominent a text is, what kind of dialog it is, or the meaning of a choice.
    package var style: String?
    /// Present and true for the choice that the Enter key chooses.
    package var preferred: Bool?
    /// Present and true for a button that stands out from the others.
    package var prominent: Bool?
    /// The color of a button's title: the name of a case of `ParleyView.Tint`.
    package var tint: String?
    /// The milliseconds since 1970 to which a text counts down.
    package var until: Double?
    package var placeholder: String?
    package var columns: Int?
    /// The path from which an `img` loads the picture.
    package var src: String?
    package var width: Double?
    package var height: Double?
    package var strokes: [StrokeDocument]?
    /// The width of lines that people draw, if the app has chosen one.
    package var penWidth: Double?
    /// The length of line for which there is ink, if it ends.
    package var ink: Double?
}

/// The input field of a conversation, as apps have filled it.
package struct FieldDocument: Codable, Hashable, Sendable {
    /// The part that one app has put there.
    package struct Part: Codable, Hashable, Sendable {
        package var app: String
        package var appName: String
        /// Text that the app inserted.
        package var text: String?
        /// The number of stickers and attachments.
        package var items: Int
        /// The stickers among them.
        package var stickers: [StagedStickerDocument]?
        package var draft: StagedMessage?
    }

    /// A message of an app that waits for Send.
    package struct StagedMessage: Codable, Hashable, Sendable {
        package var line: String
        package var url: String?
        package var layout: ContentLayout?
        package var picture: PageEntryDocument.Picture?
        package var label: String?
        /// Why it could not be sent.
        package var error: String?
    }

    package var conversation: String
    package var parts: [Part]
}

/// A text that an app had inserted.
package struct TakenTextDocument: Codable, Hashable, Sendable {
    package var text: String
}
