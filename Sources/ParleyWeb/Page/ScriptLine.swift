/// A line of a script without the spaces beside signs that separate by themselves.
///
/// Quoted texts stay as they are. So does a whole line with a comment, a regular expression or a
/// text within a text, as only a parser could tell their parts apart.
struct ScriptLine {
    private(set) var bytes: [UInt8] = []
    /// Whether the line was understood, so that it may stand beside another one.
    private(set) var isPlain = true
    private var quote: UInt8?
    private var isEscaped = false
    /// The expressions within a text that are open.
    private var depth = 0

    private static let signs = Set("{}()[];,=<>?:&|!*".utf8)
    /// The ends and starts of lines between which a line end has no meaning.
    private static let ends = Set("{([,;=>?:&|".utf8)
    private static let starts = Set("})]?:&|.".utf8)

    init(_ source: Substring) {
        let all = Array(source.utf8)
        for (index, byte) in all.enumerated() where isPlain {
            if let open = quote {
                quoted(byte, within: open)
            } else {
                add(byte, before: index + 1 < all.count ? all[index + 1] : nil)
            }
        }
        if isPlain, quote == nil { return }
        (bytes, isPlain) = (all, false)
    }

    private mutating func quoted(_ byte: UInt8, within open: UInt8) {
        let isExpression = open == UInt8(ascii: "`") && bytes.last == UInt8(ascii: "$")
        bytes.append(byte)
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "{"), isExpression {
            depth += 1
        } else if byte == UInt8(ascii: "}"), depth > 0 {
            depth -= 1
        } else if byte == open {
            isPlain = depth == 0
            quote = nil
        }
    }

    private mutating func add(_ byte: UInt8, before next: UInt8?) {
        let space = UInt8(ascii: " ")
        switch byte {
        case UInt8(ascii: "'"): isPlain = false
        // A division has a space on both sides.
        case UInt8(ascii: "/") where next != space: isPlain = false
        case space where bytes.last.map(Self.signs.contains) ?? true: return
        case UInt8(ascii: "\""), UInt8(ascii: "`"): quote = byte
        case _ where Self.signs.contains(byte):
            if bytes.last == space { bytes.removeLast() }
        default: break
        }
        bytes.append(byte)
    }

    /// Whether this line may follow another one without a line end.
    func joins(_ last: ScriptLine) -> Bool {
        guard isPlain, last.isPlain, let end = last.bytes.last, let start = bytes.first else {
            return false
        }
        return Self.ends.contains(end) || Self.starts.contains(start)
    }

    /// Lines of a script with as few spaces and line ends as can be.
    static func squeezed(_ source: String) -> String {
        var text: [UInt8] = []
        var last: ScriptLine?
        for line in source.split(separator: "\n").map(ScriptLine.init) where !line.bytes.isEmpty {
            if let last, !line.joins(last) { text.append(UInt8(ascii: "\n")) }
            text += line.bytes
            last = line
        }
        return String(decoding: text, as: UTF8.self) + "\n"
    }
}
