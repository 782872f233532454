/// Text from strangers, made fit for a log line and a terminal.
enum PrintableText {
    /// `text` without unprintable scalars, cut at a scalar so that it has at most `bytesMax` bytes.
    static func cleaned(_ text: some StringProtocol, bytesMax: Int) -> String {
        var cleaned = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars where isPrintable(scalar) {
            bytes += UTF8.width(scalar)
            guard bytes <= bytesMax else { break }
            cleaned.append(scalar)
        }
        return String(cleaned)
    }

    /// Whether nothing in `text` can move a cursor, break a line or turn the direction of reading.
    static func isPrintable(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy(isPrintable)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        // The joiner of composed emoji is the one format character that names really have.
        case .format: scalar == "\u{200D}"
        default: true
        }
    }
}
