/// A type, extension, function, initialiser or subscript of a Swift file, as far as the text shows.
struct Declaration: Sendable, Equatable {
    enum Kind: String, Sendable {
        case `class`, `struct`, `enum`, actor, `protocol`, `extension`
        case `func`, `init`, `deinit`, `subscript`

        var isFunction: Bool {
            switch self {
            case .func, .`init`, .deinit, .subscript: true
            case .class, .struct, .enum, .actor, .protocol, .extension: false
            }
        }
    }

    let kind: Kind
    /// With argument labels if it has parameters: `Slice`, `append(to:)`, `init(_:)`, `<(_:_:)`.
    var name: String
    /// The modifiers before the keyword: `package`, `static`, `mutating`, ….
    let modifiers: [String]
    /// The index of the first line, attributes included, its doc comment not.
    let firstLine: Int
    /// The index of the line of the closing brace; of the last line of the head without a body.
    var lastLine: Int
    let isDocumented: Bool
    /// The declaration that this one stands in.
    let parent: Parent
    /// The lines between the name and the body: parameters, effects, result, conformances.
    var head: [String] = []
    /// The lines between the braces.
    var body: [String] = []

    enum Parent: Sendable, Equatable {
        case file, type, `protocol`, conformance, function
    }

    var lineCount: Int { lastLine - firstLine + 1 }

    var access: String? {
        modifiers.first { ["open", "public", "package", "internal", "private"].contains($0) }
    }

    /// Whether a function gives something back.
    var returns: Bool {
        guard let start = head.firstIndex(of: "(") else { return false }
        var depth = 0
        for (index, token) in head.enumerated().dropFirst(start) {
            if token == "(" { depth += 1 }
            if token == ")" { depth -= 1 }
            if depth == 0, token == ">", head[index - 1] == "-" { return true }
        }
        return false
    }

    var isAsync: Bool { head.contains("async") }

    /// Whether it throws without a word on what.
    var throwsAnything: Bool {
        head.indices.contains { index in
            head[index] == "rethrows"
                || head[index] == "throws" && (index + 1 == head.count || head[index + 1] != "(")
        }
    }
}
