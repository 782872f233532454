import ParleyCore

/// The name of a conversation: 1 to 64 bytes of UTF-8 without control characters.
///
/// Two names are equal if their bytes are equal: names are not normalised, case-folded or trimmed.
package struct ConversationName: Sendable {
    package let text: String

    /// Checks `text` for the errors of `ConversationNameError`, in the order of its cases.
    package init(_ text: String) throws(ConversationNameError) {
        let bytes = text.utf8.count
        guard bytes > 0 else { throw .empty }
        guard bytes <= Limits.conversationNameBytes else { throw .tooLong(bytes: bytes) }
        for scalar in text.unicodeScalars where ConversationName.isForbidden(scalar) {
            throw .forbidden(scalar)
        }
        guard text.utf8.first != 0x20, text.utf8.last != 0x20 else { throw .spaceAtEnd }
        self.text = text
    }

    package var utf8: [UInt8] { Array(text.utf8) }

    /// Whether `scalar` is a control character, a line separator, or a bidirectional formatting
    /// character.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1f, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

extension ConversationName: Hashable {
    package static func == (left: ConversationName, right: ConversationName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(utf8)
    }
}

extension ConversationName: CustomStringConvertible {
    package var description: String { text }
}

/// Why a text is not the name of a conversation.
package enum ConversationNameError: Error, Equatable, Sendable {
    case empty
    case tooLong(bytes: Int)
    /// U+0000 to U+001F, U+007F to U+009F, U+2028 to U+202E or U+2066 to U+2069.
    case forbidden(Unicode.Scalar)
    /// The name starts or ends with a space, which nobody would see.
    case spaceAtEnd
    /// The bytes are not UTF-8.
    case notUTF8
}

extension ConversationNameError: CustomStringConvertible {
    /// The stable name of the error.
    package var name: String { "conversationName" }

    /// The problem, in one sentence.
    package var message: String {
        switch self {
        case .empty: "The name of the conversation is empty."
        case .tooLong(let bytes):
            "The name of the conversation has \(bytes) bytes; at most"
                + " \(Limits.conversationNameBytes) are allowed."
        case .forbidden(let scalar):
            "The name of the conversation contains the control character"
                + " U+\(ConversationNameError.code(scalar))."
        case .spaceAtEnd: "The name of the conversation starts or ends with a space."
        case .notUTF8: "The name of the conversation is not UTF-8."
        }
    }

    /// The remedy, in one sentence.
    package var hint: String {
        switch self {
        case .empty, .tooLong:
            "Choose a name of 1 to \(Limits.conversationNameBytes) bytes, such as lobby."
        case .forbidden, .spaceAtEnd, .notUTF8:
            "Choose a name of letters, digits and punctuation, such as lobby."
        }
    }

    package var description: String { "\(message) \(hint)" }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
