import ParleyCore
import ParleyKeys

/// A text that somebody chooses now and shows later, so that everybody sees that it is the same.
///
/// The `seal` goes to the others at once, and `text` with `salt` when all may know them: nobody
/// finds another text for the same seal.
public struct PromisedText: Hashable, Sendable, Codable {
    /// The text.
    public let text: String
    /// 16 random bytes as 32 hexadecimal digits, so that nobody finds the text by trying words.
    public let salt: String

    /// Promises a text, with a new salt.
    public init(_ text: String) {
        self.text = text
        salt = Hexadecimal.text((0..<16).map { _ in .random(in: 0...255) })
    }

    /// A text that somebody has shown; nil unless the salt has 32 hexadecimal digits.
    public init?(_ text: String, salt: String) {
        guard salt.utf8.count == 32, Hexadecimal.bytes(salt) != nil else { return nil }
        self.text = text
        self.salt = salt
    }

    /// Reads what was written; a salt of another form is refused.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let (text, salt) = (
            try fields.decode(String.self, forKey: .text),
            try fields.decode(String.self, forKey: .salt)
        )
        guard let promised = PromisedText(text, salt: salt) else {
            throw DecodingError.dataCorruptedError(
                forKey: .salt,
                in: fields,
                debugDescription: "the salt has not 32 hexadecimal digits"
            )
        }
        self = promised
    }

    private enum CodingKeys: CodingKey {
        case text, salt
    }

    /// SHA-256 of the text's UTF-8 and the 16 bytes, in 64 hexadecimal digits.
    public var seal: String {
        SHA256.hash(Array(text.utf8) + (Hexadecimal.bytes(salt) ?? [])).hex
    }
}
