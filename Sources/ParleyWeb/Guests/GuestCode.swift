/// The code in a link for guests: eight characters that people can read out and type.
///
/// There is no 0, O, 1 or I. Small letters mean the same.
package struct GuestCode: Hashable, Sendable {
    package let text: String

    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    private static let length = 8

    /// A new code of the system's random source: 40 bits.
    static func random() -> GuestCode {
        var random = SystemRandomNumberGenerator()
        let characters = (0..<length).map { _ in
            alphabet[Int.random(in: alphabet.indices, using: &random)]
        }
        return GuestCode(text: String(characters))
    }

    private init(text: String) {
        self.text = text
    }

    /// Reads a code; nil for any other text.
    package init?(_ text: some StringProtocol) {
        let text = text.uppercased()
        guard text.count == Self.length, text.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = text
    }

    func matches(_ other: GuestCode) -> Bool { Secret.areEqual(text, other.text) }
}

extension GuestCode: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let code = GuestCode(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no code")
            )
        }
        self = code
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
