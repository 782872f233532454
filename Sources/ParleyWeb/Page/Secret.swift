/// 128 random bits as 32 hexadecimal digits.
struct Secret: Hashable, Sendable {
    let text: String

    /// The number of characters.
    static let length = 32

    /// A new secret of the system's random source.
    static func random() -> Secret {
        var random = SystemRandomNumberGenerator()
        return Secret(text: hexadecimal((0..<16).map { _ in random.next() as UInt8 }))
    }

    private init(text: String) {
        self.text = text
    }

    /// Reads a secret back; nil for any other text.
    init?(_ text: some StringProtocol) {
        let isSound =
            text.utf8.count == Self.length
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isSound else { return nil }
        self.text = String(text)
    }

    func matches(_ other: some StringProtocol) -> Bool { Self.areEqual(text, other) }

    /// Compares two texts in a time that depends only on their lengths, to prevent timing attacks.
    static func areEqual(_ one: String, _ other: some StringProtocol) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Bytes as hexadecimal digits, two for each.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
