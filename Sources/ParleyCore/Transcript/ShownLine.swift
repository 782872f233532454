/// The line of a replaced message that this node has shown.
package struct ShownLine: Sendable, Equatable {
    /// Longer summary texts are cut to this many bytes, so that the lines stay small.
    package static let summaryBytesMax = 1_024

    package let dot: Dot
    package let place: UInt64
    package let revision: UInt64
    /// Milliseconds since 1970, by the author's clock; for display only.
    package let sentAt: Int64
    package let session: SessionUUID
    /// At most `summaryBytesMax` bytes; nil if the author gave none, for a generic line.
    package let summaryText: String?

    /// The line of a message; a longer `summaryText` is cut between two scalars.
    package init(
        dot: Dot,
        place: UInt64,
        revision: UInt64,
        sentAt: Int64,
        session: SessionUUID,
        summaryText: String?
    ) {
        self.dot = dot
        self.place = place
        self.revision = revision
        self.sentAt = sentAt
        self.session = session
        self.summaryText = summaryText.map(Self.cut)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > summaryBytesMax else { return text }
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > summaryBytesMax { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
