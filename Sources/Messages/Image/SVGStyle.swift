/// Checks that the CSS in an SVG is plain: colors, lines and letters of elements, classes and IDs.
struct SVGStyle {
    /// The properties that may cost more than the shapes.
    private static let refused = [
        "filter", "mask", "clip-path", "shadow", "animation", "transition", "dasharray",
    ]
    /// Text that stands for other text or for files, anywhere in a declaration.
    private static let refusedParts = ["path(", "image-set", "var(", "attr(", "env(", "--", "@"]
    /// The longest style sheets.
    private static let bytesMax = 64 << 10
    private static let spaces = Set(" \t\n\r".utf8)
    private static let selectorBytes = Set(
        "abcdefghijklmnopqrstuvwxyz0123456789-_.#*,: \n\r\t".utf8
    )

    /// The text since the last brace, in small letters and without comments.
    private var bytes: [UInt8] = []
    private var depth = 0
    /// Whether the outermost open block is an `@media` block.
    private var isMedia = false
    private var selectors = 0
    private var effects = 0

    /// The number of effects among the declarations of an attribute.
    static func effects(of declarations: some Sequence<UInt8>) throws(ImageError) -> Int {
        var style = SVGStyle()
        style.depth = 1
        try style.read(Array(declarations))
        try style.checkDeclarations()
        guard style.depth == 1 else { throw .tooMuchToDraw }
        return style.effects
    }

    /// Whether a property costs as much as the whole area of its element.
    ///
    /// Such properties blend the element with its background, or compute colors for each pixel.
    static func isEffect(_ name: some StringProtocol, _ value: some StringProtocol) -> Bool {
        switch name {
        case "opacity": Double(value) != 1
        case "mix-blend-mode", "isolation": true
        default: value.lowercased().contains("url(")
        }
    }

    /// The numbers of selectors and effects of a style sheet.
    static func sums(
        ofSheet sheet: [UInt8]
    ) throws(ImageError) -> (selectors: Int, effects: Int) {
        guard sheet.count <= bytesMax else { throw .tooMuchToDraw }
        var style = SVGStyle()
        try style.read(sheet)
        guard style.depth == 0, style.bytes.allSatisfy(spaces.contains) else {
            throw .tooMuchToDraw
        }
        return (style.selectors, style.effects)
    }

    private mutating func read(_ css: [UInt8]) throws(ImageError) {
        // XML writes a character as `&#…;`, and CSS as `\…`: both could hide a word.
        guard !css.contains(UInt8(ascii: "&")), !css.contains(UInt8(ascii: "\\")) else {
            throw .tooMuchToDraw
        }
        var quote: UInt8?
        var index = 0
        while index < css.count {
            let byte = css[index]
            index += 1
            switch byte {
            case quote: quote = nil
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\n"):
                // A string ends with its line, so the rest would be read differently.
                guard quote == nil else { throw .tooMuchToDraw }
                if byte == UInt8(ascii: "{") { try open() }
                if byte == UInt8(ascii: "}") { try close() }
                if byte != UInt8(ascii: "\n") {
                    bytes = []
                    continue
                }
            case 0x22, 0x27: if quote == nil { quote = byte }
            case UInt8(ascii: "/") where quote == nil && index < css.count && css[index] == 0x2A:
                index = try Self.endOfComment(css, from: index + 1)
                bytes.append(0x20)
                continue
            default: break
            }
            bytes.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
        }
        guard quote == nil else { throw .tooMuchToDraw }
    }

    private static func endOfComment(_ css: [UInt8], from start: Int) throws(ImageError) -> Int {
        var index = start
        while index + 1 < css.count {
            if css[index] == UInt8(ascii: "*"), css[index + 1] == UInt8(ascii: "/") {
                return index + 2
            }
            index += 1
        }
        throw .tooMuchToDraw
    }

    private mutating func open() throws(ImageError) {
        let head = bytes.drop(while: Self.spaces.contains)
        let isPlain = !head.dropFirst().contains { $0 == 0x40 || $0 == 0x3B }
        if depth == 0, isPlain, head.starts(with: "@media".utf8) {
            isMedia = true
        } else {
            // Rules in rules multiply their selectors, and selectors with conditions look at many
            // elements for each.
            guard depth == (isMedia ? 1 : 0), head.allSatisfy(Self.selectorBytes.contains) else {
                throw .tooMuchToDraw
            }
            selectors += 1 + head.count { $0 == UInt8(ascii: ",") }
        }
        depth += 1
    }

    private mutating func close() throws(ImageError) {
        guard depth > 0 else { throw .tooMuchToDraw }
        try checkDeclarations()
        depth -= 1
        if depth == 0 { isMedia = false }
    }

    private mutating func checkDeclarations() throws(ImageError) {
        let text = String(decoding: bytes, as: UTF8.self)
        for declaration in text.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            // Programs also write `none`. Filters have a property for their colors.
            let isNone = parts.last?.drop(while: \.isWhitespace) == "none"
            let isOfFilters = parts.first?.contains("color-interpolation-filters") == true
            guard
                isNone || isOfFilters
                    || !Self.refused.contains(where: { parts.first?.contains($0) == true }),
                !Self.refusedParts.contains(where: declaration.contains)
            else { throw .tooMuchToDraw }
            try Self.checkAddresses(declaration)
            let words = parts.map {
                $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            if words.count == 2, Self.isEffect(words[0], words[1]) { effects += 1 }
        }
    }

    /// Checks that addresses lead to elements of the file.
    private static func checkAddresses(_ declaration: Substring) throws(ImageError) {
        var rest = declaration[...]
        while let start = rest.firstRange(of: "url(") {
            rest = rest[start.upperBound...].drop { $0.isWhitespace || "\"'".contains($0) }
            guard rest.hasPrefix("#") else { throw .tooMuchToDraw }
        }
    }
}
