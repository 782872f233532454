/// Reads the marks of an XML document, from its start to the tags of its elements.
struct SVGScanner {
    /// The name and the value of an attribute, as they are written.
    struct Attribute {
        let name: String
        let value: ArraySlice<UInt8>

        var text: String { String(decoding: value, as: UTF8.self) }
    }

    let bytes: [UInt8]
    private(set) var position = 0

    /// The encodings in which no byte of ASCII is a part of another character.
    private static let encodings: Set<String> = [
        "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "windows-1252",
    ]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Goes on at a position between two marks.
    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads the attributes of the root element; it may also end with its tag.
    mutating func root() throws(ImageError) -> (attributes: [Attribute], isEmpty: Bool) {
        try skipProlog()
        guard take("<svg"), isSpace(current) || current == UInt8(ascii: ">") || has("/>") else {
            throw .unknownFormat
        }
        return try attributes()
    }

    /// Reads the local name of an element, in small letters.
    mutating func elementName() throws(ImageError) -> String {
        let name = try text { !Self.isSpace($0) && $0 != 0x2F && $0 != 0x3E }
        guard let last = name.split(separator: ":").last, !name.contains(where: "<&\"'=".contains)
        else { throw .malformed }
        return last.lowercased()
    }

    /// Reads attributes up to the end of the tag; `isEmpty` says whether the tag ends with `/>`.
    mutating func attributes() throws(ImageError) -> (attributes: [Attribute], isEmpty: Bool) {
        var attributes: [Attribute] = []
        while true {
            skipSpace()
            if take("/>") { return (attributes, true) }
            if take(">") { return (attributes, false) }
            attributes.append(try attribute())
        }
    }

    /// Skips the XML declaration, comments, processing instructions and a document type without an
    /// internal subset.
    private mutating func skipProlog() throws(ImageError) {
        while true {
            skipSpace()
            if take("<?") {
                try instruction()
            } else if take("<!--") {
                _ = try skip(past: "-->")
            } else if take("<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    private mutating func skipDocumentType() throws(ImageError) {
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: ">"): return
            // An internal subset could declare entities, which expand without bound.
            case UInt8(ascii: "["): throw .malformed
            case 0x22, 0x27:
                _ = try skip { $0 == byte }
                position += 1
            default: break
            }
        }
        throw .truncated
    }

    /// Checks that nothing but comments and instructions follows.
    mutating func checkNothingFollows() throws(ImageError) {
        while let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = next
            if take("<!--") {
                _ = try skip(past: "-->")
            } else if take("<?") {
                _ = try skip(past: "?>")
            } else {
                throw .malformed
            }
        }
    }

    /// Skips a processing instruction that changes nothing.
    private mutating func instruction() throws(ImageError) {
        let content = try skip(past: "?>")
        let words = String(decoding: bytes[content], as: UTF8.self).lowercased()
        // A style sheet may be another document.
        guard !words.hasPrefix("xml-stylesheet") else { throw .tooMuchToDraw }
        guard words.hasPrefix("xml"), let found = words.firstRange(of: "encoding") else { return }
        let name = words[found.upperBound...].drop { $0.isWhitespace || "=\"'".contains($0) }
        let encoding = String(name.prefix { !$0.isWhitespace && !"\"'".contains($0) })
        guard Self.encodings.contains(encoding) else { throw .malformed }
    }

    private mutating func attribute() throws(ImageError) -> Attribute {
        let name = try text { $0 != UInt8(ascii: "=") && !Self.isSpace($0) && $0 != 0x3E }
        skipSpace()
        guard !name.isEmpty, !name.contains(where: "<&\"'".contains), take("=") else {
            throw .malformed
        }
        skipSpace()
        guard let quote = current, quote == 0x22 || quote == 0x27 else { throw .malformed }
        position += 1
        let value = try skip { $0 == quote }
        position += 1
        return Attribute(name: name, value: bytes[value])
    }

    /// Reads the bytes from here on that match; a byte that does not match must follow.
    private mutating func text(_ matches: (UInt8) -> Bool) throws(ImageError) -> String {
        let read = try skip { !matches($0) }
        guard let text = String(validating: bytes[read], as: UTF8.self) else { throw .malformed }
        return text
    }

    /// Skips to the first byte that matches, which must follow.
    private mutating func skip(to matches: (UInt8) -> Bool) throws(ImageError) -> Range<Int> {
        let start = position
        guard let end = bytes[start...].firstIndex(where: matches) else { throw .truncated }
        position = end
        return start..<end
    }

    /// Skips everything before `text`, and returns its range.
    mutating func skip(upTo text: StaticString) throws(ImageError) -> Range<Int> {
        let start = position
        let first = text.utf8Start.pointee
        while true {
            _ = try skip { $0 == first }
            if has(text) { return start..<position }
            position += 1
        }
    }

    /// Skips everything up to `text`, and `text` too; returns the range before `text`.
    mutating func skip(past text: StaticString) throws(ImageError) -> Range<Int> {
        let skipped = try skip(upTo: text)
        position += text.utf8CodeUnitCount
        return skipped
    }

    private mutating func skipSpace() {
        while isSpace(current) { position += 1 }
    }

    mutating func take(_ text: StaticString) -> Bool {
        guard has(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    func has(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + count]) }
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func isSpace(_ byte: UInt8?) -> Bool { byte.map(Self.isSpace) ?? false }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
