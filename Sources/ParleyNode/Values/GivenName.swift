import Foundation
import ParleyCore

/// A name that a person gives to something of this node: a conversation, the device, a file.
///
/// Commands, the API, the page and apps share this one rule for names. A name from another node
/// follows the protocol's rules only, and is made harmless where it is shown.
package struct GivenName: Hashable, Sendable {
    /// The name in normal form: at least one visible character, and no unprintable one.
    package let text: String

    /// Brings `text` into normal form and checks it.
    ///
    /// - Throws: the first case of `GivenNameError` that holds.
    package init(_ text: String, bytesMax: Int) throws(GivenNameError) {
        let name = Self.normal(text)
        guard Self.canBeSeen(name) else { throw .empty }
        let bytes = name.utf8.count
        guard bytes <= bytesMax else { throw .tooLong(bytes: bytes, limit: bytesMax) }
        if let scalar = name.unicodeScalars.first(where: { !PrintableText.isPrintable($0) }) {
            throw .unprintable(scalar)
        }
        guard name != ".", name != ".." else { throw .dots }
        self.text = name
    }

    /// The nearest name to a text from elsewhere, such as the name of a host or a file; nil if
    /// nothing of the text can be seen.
    package init?(adapting text: String, bytesMax: Int) {
        let printable = text.unicodeScalars.filter(PrintableText.isPrintable)
        let cut = Self.normal(String(String.UnicodeScalarView(printable))).cut(toBytes: bytesMax)
        guard let name = try? GivenName(cut, bytesMax: bytesMax) else { return nil }
        self = name
    }

    /// The text in Unicode's form NFC, without white space around it, which keyboards and shells
    /// add.
    ///
    /// Names are looked up in this form, so that equal looks mean equal names.
    package static func normal(_ text: String) -> String {
        // Most names are plain, and each message that is sent looks one up.
        if text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) { return text }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
            .precomposedStringWithCanonicalMapping
    }

    /// Whether a text has something else than white space and characters that have no shape, or
    /// none of their own.
    package static func canBeSeen(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            let properties = scalar.properties
            // Marks belong to a letter before them.
            let isShape =
                switch properties.generalCategory {
                case .nonspacingMark, .enclosingMark, .privateUse: false
                default: true
                }
            // The empty cell of Braille is the only letter without ink that Unicode does not call
            // ignorable.
            return isShape && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && !properties.isNoncharacterCodePoint && scalar != "\u{2800}"
        }
    }
}

extension ConversationRecord {
    /// Whether a person means this conversation by `text`.
    ///
    /// `==` of strings takes the composed and the decomposed form of a letter as equal, and no two
    /// conversations of a node have names that are.
    package func isCalled(_ text: String) -> Bool { name == GivenName.normal(text) }
}

extension ParleyValues.Conversation {
    /// Whether a person means this conversation by `text`.
    package func isCalled(_ text: String) -> Bool { name == GivenName.normal(text) }
}

/// Why a text cannot be a name.
package enum GivenNameError: Error, Equatable, Sendable {
    /// The text has nothing that can be seen.
    case empty
    case tooLong(bytes: Int, limit: Int)
    /// A control character, or one that is hidden or changes the direction of writing.
    case unprintable(Unicode.Scalar)
    /// The text is `.` or `..`, which mean something else in paths.
    case dots

    /// The problem with the name of `owner`, as a sentence without a full stop.
    package func message(of owner: String) -> String {
        switch self {
        case .empty: "The name of \(owner) is empty or cannot be seen"
        case .tooLong(let bytes, let limit):
            "The name of \(owner) has \(bytes) bytes; at most \(limit) are allowed"
        case .unprintable(let scalar):
            "The name of \(owner) has a character that cannot be seen: "
                + PrintableText.escaped(String(Character(scalar)))
        case .dots: "The name of \(owner) cannot be \".\" or \"..\""
        }
    }
}
