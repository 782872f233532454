/// A sticker that somebody has placed on a message, as a page draws it.
package struct StickerDocument: Codable, Hashable, Sendable {
    /// The session of the sticker, by which it is peeled off.
    package var id: String
    /// The path from which an `img` loads the picture.
    package var src: String
    /// The text that a screen reader speaks.
    package var description: String
    /// The middle of the sticker, from the left edge of the bubble (0) to the right one (1).
    package var x: Double
    /// The same from the upper edge to the lower one.
    package var y: Double
    /// Present and true if this device has placed it.
    package var mine: Bool?

    package init(
        id: String,
        src: String,
        description: String,
        x: Double,
        y: Double,
        mine: Bool? = nil
    ) {
        self.id = id
        self.src = src
        self.description = description
        self.x = x
        self.y = y
        self.mine = mine
    }
}

/// A sticker that an app has put into the input field.
package struct StagedStickerDocument: Codable, Hashable, Sendable {
    /// The name of the sticker in the field.
    package var id: String
    /// The path from which an `img` loads the picture.
    package var src: String
    /// The text that a screen reader speaks.
    package var description: String

    package init(id: String, src: String, description: String) {
        self.id = id
        self.src = src
        self.description = description
    }
}

/// The request to place a sticker of an input field on a message.
package struct PlaceDocument: Codable, Hashable, Sendable {
    /// The app that has put the sticker into the field.
    package var app: String
    /// The name of the sticker in the field.
    package var sticker: String
    /// The message that the sticker is put on.
    package var message: String
    /// The middle of the sticker, from the left edge of the bubble (0) to the right one (1).
    package var x: Double
    /// The same from the upper edge to the lower one.
    package var y: Double

    package init(app: String, sticker: String, message: String, x: Double, y: Double) {
        self.app = app
        self.sticker = sticker
        self.message = message
        self.x = x
        self.y = y
    }
}
