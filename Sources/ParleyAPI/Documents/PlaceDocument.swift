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
