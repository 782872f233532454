/// Reads the start of an XML document up to the end of its `svg` root tag.
struct SVGScanner {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether the root tag that was read also ends its element.
    private(set) var isRootEmpty = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Reads the attributes of the root element.
    mutating func rootAttributes() throws(ImageError) -> [String: String] {
        try skipProlog()
        guard take("<svg"), isSpace(current) || current == UInt8(ascii: ">") || has("/>") else {
            throw .unknownFormat
        }
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            isRootEmpty = take("/>")
            if isRootEmpty || take(">") { return attributes }
            let (name, value) = try attribute()
            guard attributes.updateValue(value, forKey: name) == nil else { throw .malformed }
        }
    }

    /// Skips the XML declaration, comments, processing instructions and a document type without an
    /// internal subset.
    private mutating func skipProlog() throws(ImageError) {
        while true {
            skipSpace()
            if take("<?") {
                try skip(past: "?>")
            } else if take("<!--") {
                try skip(past: "-->")
            } else if take("<!DOCTYPE") {
                while current != UInt8(ascii: ">") {
                    // An internal subset could declare entities, which expand without bound.
                    guard let current else { throw .truncated }
                    guard current != UInt8(ascii: "[") else { throw .malformed }
                    position += 1
                }
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func attribute() throws(ImageError) -> (name: String, value: String) {
        let name = try text { $0 != UInt8(ascii: "=") && !Self.isSpace($0) && $0 != 0x3E }
        skipSpace()
        guard !name.isEmpty, take("=") else { throw .malformed }
        skipSpace()
        guard let quote = current, quote == 0x22 || quote == 0x27 else { throw .malformed }
        position += 1
        let value = try text { $0 != quote }
        position += 1
        return (name, value)
    }

    /// Reads the bytes from here on that match; a byte that does not match must follow.
    private mutating func text(_ matches: (UInt8) -> Bool) throws(ImageError) -> String {
        let start = position
        while let current, matches(current) { position += 1 }
        guard current != nil else { throw .truncated }
        guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
            throw .malformed
        }
        return text
    }

    private mutating func skip(past text: String) throws(ImageError) {
        while !take(text) {
            guard current != nil else { throw .truncated }
            position += 1
        }
    }

    private mutating func skipSpace() {
        while isSpace(current) { position += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        guard has(text) else { return false }
        position += text.utf8.count
        return true
    }

    private func has(_ text: String) -> Bool {
        bytes[position...].starts(with: text.utf8)
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func isSpace(_ byte: UInt8?) -> Bool { byte.map(Self.isSpace) ?? false }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
