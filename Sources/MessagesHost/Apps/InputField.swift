import ParleyNode

/// The input field without the app's message.
struct InputField {
    /// The text that a person typed or apps inserted; each inserted text is on a line of its own.
    var text = ""
    /// The stickers and attachments as drafts.
    var items: [Draft] = []

    /// The most stickers and attachments in the field.
    static let itemsMax = 8

    var isEmpty: Bool { text.isEmpty && items.isEmpty }
}
