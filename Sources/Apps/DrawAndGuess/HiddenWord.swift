import Foundation

/// The word of a round in a form for URLs, which nobody can read at sight.
///
/// This is no encryption. The app of each guesser needs the word, to judge a guess at once, so any
/// program that knows this file can find the word.
enum HiddenWord {
    static func text(_ word: String, of drawer: UUID) -> String {
        mixed(Array(word.utf8), drawer).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        .joined()
    }

    /// Reads the word from a text; nil if there is none.
    static func word(in text: String, of drawer: UUID) -> String? {
        let digits = text.map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * 4 * Round.wordMax else {
            return nil
        }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: mixed(bytes, drawer), as: UTF8.self)
    }

    /// Mixes bytes with the drawer's ID; mixing twice gives the bytes back.
    private static func mixed(_ bytes: [UInt8], _ drawer: UUID) -> [UInt8] {
        let key = withUnsafeBytes(of: drawer.uuid) { Array($0) }
        return bytes.enumerated().map { index, byte in
            byte ^ key[index % key.count] ^ UInt8(truncatingIfNeeded: index &* 89 &+ 165)
        }
    }
}
