/// Makes names from strangers safe for log lines and terminals.
enum NameText {
    /// `text` without unprintable scalars, truncated at a scalar to at most `bytesMax` bytes.
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

    /// Whether `text` contains nothing that moves the cursor, breaks the line or changes the
    /// direction of writing.
    static func isPrintable(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy(isPrintable)
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        // The zero-width joiner of composed emoji is the only format character that is common in
        // names.
        case .format: scalar == "\u{200D}"
        default: true
        }
    }
}
