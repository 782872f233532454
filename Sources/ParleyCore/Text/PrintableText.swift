/// Decides which text of strangers may be shown unchanged, and escapes or replaces the rest.
///
/// The texts are names and software in `hello`, the text of `goodbye`, addresses from `peers`, and
/// announcements, in log lines and API answers; and names of files and apps on pages and terminals.
package enum PrintableText {
    /// The first `scalarsMax` scalars of `text`, with unprintable scalars as `\u{202E}`.
    package static func escaped(_ text: String, scalarsMax: Int = .max) -> String {
        // Most texts are short and plain, and this runs for each message that is read.
        if text.utf8.count <= scalarsMax, text.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) {
            return text
        }
        var escaped = ""
        for scalar in text.unicodeScalars.prefix(scalarsMax) {
            if isPrintable(scalar) {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return escaped
    }

    /// The text with a replacement character for each unprintable scalar.
    package static func replaced(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isPrintable) else { return text }
        var replaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            replaced.append(isPrintable(scalar) ? scalar : "\u{FFFD}")
        }
        return String(replaced)
    }

    /// Whether a scalar moves no cursor, ends no line, is not hidden, and does not change the
    /// direction of writing.
    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // The joiners are needed in Persian and in emoji.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: !scalar.properties.isDefaultIgnorableCodePoint || isSelector(scalar)
        }
    }

    /// Whether the scalar chooses between shapes of an emoji or of a Chinese character.
    private static func isSelector(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{FE0E}"..."\u{FE0F}").contains(scalar) || ("\u{E0100}"..."\u{E01EF}").contains(scalar)
    }
}
