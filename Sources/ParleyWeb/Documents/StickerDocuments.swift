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
}

/// A sticker that an app has put into the input field.
package struct StagedStickerDocument: Codable, Hashable, Sendable {
    /// The name of the sticker in the field.
    package var id: String
    /// The path from which an `img` loads the picture.
    package var src: String
    /// The text that a screen reader speaks.
    package var description: String
}
