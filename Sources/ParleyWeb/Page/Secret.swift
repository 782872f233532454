/// 128 random bits as 32 hexadecimal digits.
struct Secret: Hashable, Sendable {
    let text: String

    /// The number of characters.
    static let length = 32

    /// A new secret of the system's random source.
    static func random() -> Secret {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let word = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }
        return Secret(text: digits.joined())
    }

    private init(text: String) {
        self.text = text
    }

    /// Reads a secret back; nil unless the text has the form of one.
    init?(_ text: some StringProtocol) {
        let isSound =
            text.utf8.count == Self.length
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isSound else { return nil }
        self.text = String(text)
    }

    /// Compares in a time that depends only on the length of `other`, so that nobody can guess a
    /// secret digit by digit.
    func matches(_ other: some StringProtocol) -> Bool {
        guard other.utf8.count == Self.length else { return false }
        return zip(text.utf8, other.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
