/// Base64 for links: RFC 4648 section 5, without padding.
enum Base64URL {
    /// The result of decoding a text.
    struct Decoded {
        let bytes: [UInt8]
        /// Whether the text is the canonical encoding of `bytes`: it has no excess character, and
        /// the padding bits of its last character are zero.
        let isWhole: Bool
    }

    /// The text contains a character that is not in the alphabet.
    struct Refusal: Error {
        let character: Character
        /// In bytes from the start.
        let index: Int
    }

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> UInt32(bitCount) & 63)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - bitCount) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func decode(_ text: ArraySlice<UInt8>) throws(Refusal) -> Decoded {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for (index, character) in text.enumerated() {
            guard let value = value(character) else {
                let rest = String(decoding: text.dropFirst(index), as: UTF8.self)
                throw Refusal(character: rest.first ?? "?", index: index)
            }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        let filling = bits & (1 << UInt32(bitCount) - 1)
        return Decoded(bytes: bytes, isWhole: bitCount < 6 && filling == 0)
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
