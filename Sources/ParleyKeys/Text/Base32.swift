/// Base32 for people: RFC 4648 section 6 without padding, with check characters.
enum Base32 {
    /// `bytes` as 5-bit values; the last value is padded with zero bits.
    static func values(_ bytes: [UInt8]) -> [UInt8] {
        var values: [UInt8] = []
        values.reserveCapacity((bytes.count * 8 + 4) / 5)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                values.append(UInt8(bits >> UInt32(bitCount) & 31))
            }
        }
        if bitCount > 0 { values.append(UInt8(bits << UInt32(5 - bitCount) & 31)) }
        return values
    }

    /// The bytes that `values` encode; an incomplete last byte is dropped.
    static func bytes(_ values: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for value in values {
            bits = bits << 5 | UInt32(value)
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bytes
    }

    static func text(_ values: ArraySlice<UInt8>) -> String {
        String(decoding: values.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// As `text`, with a hyphen between groups of `length` characters.
    static func text(_ values: ArraySlice<UInt8>, hyphenEvery length: Int) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(values.count + values.count / length)
        for (index, value) in values.enumerated() {
            if index > 0, index.isMultiple(of: length) { characters.append(UInt8(ascii: "-")) }
            characters.append(alphabet[Int(value)])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The value of `character` in upper or lower case, or nil; 0, 1 and 8 are read as O, I and B.
    static func value(_ character: Character) -> UInt8? {
        guard let ascii = character.asciiValue else { return nil }
        switch ascii {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return ascii - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return ascii - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): return ascii - UInt8(ascii: "2") + 26
        case UInt8(ascii: "0"): return value("O")
        case UInt8(ascii: "1"): return value("I")
        case UInt8(ascii: "8"): return value("B")
        default: return nil
        }
    }

    /// The check value of `values` by Luhn's rule modulo 32.
    ///
    /// From the last value to the first, values are multiplied by 2, 1, 2, …, and each product
    /// counts as the sum of its two digits in base 32. The check value completes the sum to a
    /// multiple of 32, and detects every single wrong character and every swap of two neighbours
    /// except A and 7.
    static func checkValue(_ values: ArraySlice<UInt8>) -> UInt8 {
        var sum = 0
        var factor = 2
        for value in values.reversed() {
            let product = Int(value) * factor
            sum += product / 32 + product % 32
            factor = 3 - factor
        }
        return UInt8((32 - sum % 32) % 32)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
}
