import ParleyNode

/// What stands in the input field beside the app's message.
struct InputField {
    /// What was typed, and what apps put there, each on a line of its own.
    var text = ""
    /// Stickers and attachments, as they will be sent.
    var items: [Draft] = []

    /// Stickers and attachments that fit.
    static let itemsMax = 8

    var isEmpty: Bool { text.isEmpty && items.isEmpty }
}
