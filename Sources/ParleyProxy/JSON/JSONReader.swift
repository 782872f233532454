/// Reads the first JSON value of a text, as Go's decoder does; what follows is not looked at.
package struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private static let depthMax = 64

    package static func read(_ bytes: [UInt8]) throws(JSONFault) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        reader.skipSpace()
        guard reader.position < bytes.count else { throw JSONFault(words: "EOF") }
        return try reader.value()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    // MARK: Values

    private mutating func value() throws(JSONFault) -> JSONValue {
        let place = "looking for beginning of value"
        switch try peek() {
        case UInt8(ascii: "{"):
            return try nested { reader throws(JSONFault) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(JSONFault) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw unexpected(place)
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSONFault) -> JSONValue
    ) throws(JSONFault) -> JSONValue {
        guard depth < Self.depthMax else { throw JSONFault(words: "exceeded max depth") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try read(&self)
    }

    private mutating func object() throws(JSONFault) -> JSONValue {
        var members: [JSONValue.Member] = []
        while true {
            let byte = try next()
            if byte == UInt8(ascii: "}"), members.isEmpty { break }
            guard byte == UInt8(ascii: "\"") else {
                throw unexpected("looking for beginning of object key string")
            }
            let name = try string()
            guard try next() == UInt8(ascii: ":") else { throw unexpected("after object key") }
            position += 1
            _ = try next()
            members.append(JSONValue.Member(name: name, value: try value()))
            let end = try next()
            if end == UInt8(ascii: "}") { break }
            guard end == UInt8(ascii: ",") else {
                throw unexpected("after object key:value pair")
            }
            position += 1
        }
        position += 1
        return .object(members)
    }

    private mutating func array() throws(JSONFault) -> JSONValue {
        var values: [JSONValue] = []
        while true {
            if try next() == UInt8(ascii: "]"), values.isEmpty { break }
            values.append(try value())
            let end = try next()
            if end == UInt8(ascii: "]") { break }
            guard end == UInt8(ascii: ",") else { throw unexpected("after array element") }
            position += 1
        }
        position += 1
        return .array(values)
    }

    private mutating func literal(
        _ word: String,
        _ value: JSONValue
    ) throws(JSONFault) -> JSONValue {
        for byte in word.utf8 {
            guard try peek() == byte else {
                let wanted = Character(UnicodeScalar(byte))
                throw unexpected("in literal \(word) (expecting '\(wanted)')")
            }
            position += 1
        }
        return value
    }

    private mutating func number() throws(JSONFault) -> JSONValue {
        let start = position
        if try peek() == UInt8(ascii: "-") { position += 1 }
        try digits(isWhole: true)
        if here == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if here == UInt8(ascii: "e") || here == UInt8(ascii: "E") {
            position += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits(isWhole: Bool = false) throws(JSONFault) {
        let first = try peek()
        guard isDigit(first) else { throw unexpected("in numeric literal") }
        position += 1
        if isWhole, first == UInt8(ascii: "0") { return }
        while let here, isDigit(here) { position += 1 }
    }

    // MARK: Strings

    private mutating func string() throws(JSONFault) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                text += try escaped()
            case 0..<32: throw unexpected("in string literal")
            default:
                text.append(byte)
                position += 1
            }
        }
    }

    private mutating func escaped() throws(JSONFault) -> [UInt8] {
        let byte = try peek()
        let simple: [UInt8: UInt8] = [
            UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
            UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "\""): byte,
            UInt8(ascii: "\\"): byte, UInt8(ascii: "/"): byte,
        ]
        if let plain = simple[byte] {
            position += 1
            return [plain]
        }
        guard byte == UInt8(ascii: "u") else { throw unexpected("in string escape code") }
        position += 1
        var unit = try fourDigits()
        if (0xD800..<0xDC00).contains(unit), here == UInt8(ascii: "\\"),
            position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = try fourDigits()
            let isPair = (0xDC00..<0xE000).contains(low)
            unit = isPair ? 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00) : 0xFFFD
        }
        return Array(String(UnicodeScalar(unit) ?? "\u{FFFD}").utf8)
    }

    private mutating func fourDigits() throws(JSONFault) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(UnicodeScalar(try peek())).hexDigitValue else {
                throw unexpected("in \\u hexadecimal character escape")
            }
            number = number << 4 + UInt32(digit)
            position += 1
        }
        return number
    }

    // MARK: Bytes

    private var here: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func skipSpace() {
        while let here, here == 32 || (9...10).contains(here) || here == 13 { position += 1 }
    }

    /// The byte here.
    private func peek() throws(JSONFault) -> UInt8 {
        guard let here else { throw JSONFault(words: "unexpected EOF") }
        return here
    }

    /// The byte after white space.
    private mutating func next() throws(JSONFault) -> UInt8 {
        skipSpace()
        return try peek()
    }

    private func unexpected(_ place: String) -> JSONFault {
        let byte = here ?? 0
        let text =
            switch byte {
            case UInt8(ascii: "'"): "\\'"
            case UInt8(ascii: "\\"): "\\\\"
            case 9: "\\t"
            case 10: "\\n"
            case 13: "\\r"
            case 0..<32, 127: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            default: String(UnicodeScalar(byte))
            }
        return JSONFault(words: "invalid character '\(text)' \(place)")
    }
}
