import Foundation

/// The words of a search: a text is found if it has all of them, as parts of words too, in any
/// order, whatever the case and the accents.
package struct SearchWords: Sendable {
    /// The words as a person wrote them.
    let words: [String]
    /// The words in the form of `SearchWords.folded`, the longest first, as it is the rarest.
    package let parts: [[UInt8]]

    /// The words that count, so that a search has an end.
    static let wordsMax = 16

    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).prefix(Self.wordsMax).map(String.init)
        parts = words.map { Self.folded($0) }.filter { !$0.isEmpty }
            .sorted { $0.count > $1.count }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The UTF-8 of a text without differences of case, width and accents.
    package static func folded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            return bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }
        return Array(text.folding(options: options, locale: nil).utf8)
    }

    private static let options: String.CompareOptions = [
        .caseInsensitive, .diacriticInsensitive, .widthInsensitive,
    ]

    /// The characters of an excerpt, and those of them before the first word.
    private static let (excerptMax, excerptLead) = (120, 30)

    /// The part of a text around the first of the words that it has, in one line.
    package func excerpt(of text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let start =
            words.compactMap { line.range(of: $0, options: Self.options)?.lowerBound }.min()
            ?? line.startIndex
        guard line.count > Self.excerptMax else { return line }
        let lead = line[..<start].suffix(Self.excerptLead)
        let isCut = lead.startIndex > line.startIndex
        let rest = line[lead.startIndex...]
        let shown = rest.prefix(Self.excerptMax - 2)
        return (isCut ? "…" : "") + shown + (shown.endIndex < line.endIndex ? "…" : "")
    }
}
