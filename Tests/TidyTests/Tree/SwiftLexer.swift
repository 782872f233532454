/// Tells code from comments and literals, as far as checks that read lines need it.
///
/// It knows nested comments, raw and multi-line strings with interpolations, and regex literals by
/// what stands before them.
struct SwiftLexer {
    /// Both as lines; line n of one is line n of the other.
    static func separate(_ text: String) -> (code: [String], comments: [String]) {
        var lexer = SwiftLexer(bytes: Array(text.utf8))
        lexer.run()
        return (lines(lexer.code), lines(lexer.comments))
    }

    private let bytes: [UInt8]
    private var position = 0
    /// Each byte of the input goes to one of the two as it is, and to the other as a space.
    private var code: [UInt8] = []
    private var comments: [UInt8] = []

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private mutating func run() {
        while position < bytes.count {
            guard "/\"#".utf8.contains(bytes[position]) else {
                take(1, .code)
                continue
            }
            if sees("//") {
                while position < bytes.count, !sees("\n") { take(1, .comment) }
            } else if sees("/*") {
                blockComment()
            } else if let hashes = literalStart("\"") {
                string(hashes: hashes)
            } else if let hashes = literalStart("/"), hashes > 0 || regexMayStart {
                regex(hashes: hashes)
            } else {
                take(1, .code)
            }
        }
    }

    // MARK: Parts

    private mutating func blockComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                take(2, .comment)
            } else if sees("*/") {
                depth -= 1
                take(2, .comment)
            } else {
                take(1, .comment)
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func string(hashes: Int) {
        take(hashes, .code)
        let quotes = sees("\"\"\"") ? 3 : 1
        take(quotes, .code)
        let end = String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        while position < bytes.count, !sees(end), quotes == 3 || !sees("\n") {
            if sees(escape + "(") {
                take(escape.utf8.count, .literal)
                interpolation()
            } else if sees(escape) {
                take(escape.utf8.count + 1, .literal)
            } else {
                take(1, .literal)
            }
        }
        take(end.utf8.count, .code)
    }

    /// From the opening parenthesis to the closing one, literals in between included.
    private mutating func interpolation() {
        var depth = 0
        repeat {
            if let hashes = literalStart("\"") {
                string(hashes: hashes)
                continue
            }
            if sees("(") { depth += 1 }
            if sees(")") { depth -= 1 }
            take(1, .literal)
        } while depth > 0 && position < bytes.count
    }

    private mutating func regex(hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        take(hashes + 1, .code)
        while position < bytes.count, !sees(end), hashes > 0 || !sees("\n") {
            take(sees("\\") ? 2 : 1, .literal)
        }
        take(end.utf8.count, .code)
    }

    // MARK: Looking ahead and back

    private func sees(_ text: String) -> Bool {
        bytes[position] == text.utf8.first && bytes[position...].starts(with: text.utf8)
    }

    /// The number of `#` before `delimiter`, if that is what comes next.
    private func literalStart(_ delimiter: Unicode.Scalar) -> Int? {
        let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        let next = position + hashes
        guard next < bytes.count, bytes[next] == UInt8(ascii: delimiter) else { return nil }
        return hashes
    }

    /// Whether a slash here opens a literal: an operand is due, and no space follows.
    private var regexMayStart: Bool {
        guard position + 1 < bytes.count, !" \n=".utf8.contains(bytes[position + 1]) else {
            return false
        }
        guard let before = code.last(where: { $0 != UInt8(ascii: " ") }) else { return false }
        return "(,=:[{".utf8.contains(before)
    }

    // MARK: Moving on

    private enum Kind {
        case code, comment, literal
    }

    private mutating func take(_ count: Int, _ kind: Kind) {
        for _ in 0..<count where position < bytes.count {
            let byte = bytes[position]
            let isBreak = byte == UInt8(ascii: "\n")
            code.append(kind == .code || isBreak ? byte : UInt8(ascii: " "))
            comments.append(kind == .comment || isBreak ? byte : UInt8(ascii: " "))
            position += 1
        }
    }
}
