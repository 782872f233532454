/// Finds the declarations in the code lines of a file by their keywords and braces.
struct DeclarationScanner {
    static func scan(code: [String], comments: [String]) -> [Declaration] {
        var scanner = DeclarationScanner(code: code, comments: comments)
        scanner.run()
        return scanner.declarations
    }

    private let code: [String]
    private let comments: [String]
    private let tokens: [SwiftToken]
    private var position = 0
    private var declarations: [Declaration] = []
    /// For each open brace: the index of the declaration whose body it opens, and where that began.
    private var scopes: [(declaration: Int?, start: Int)] = []

    private init(code: [String], comments: [String]) {
        self.code = code
        self.comments = comments
        tokens = SwiftToken.tokens(code)
    }

    private mutating func run() {
        var modifiers: [String] = []
        var firstLine: Int?
        while position < tokens.count {
            let token = tokens[position]
            if token.text == "@" {
                firstLine = firstLine ?? token.line
                skipAttribute()
            } else if let kind = keyword(token.text) {
                declaration(kind, modifiers, firstLine: firstLine ?? token.line)
                (modifiers, firstLine) = ([], nil)
            } else if Self.modifiers.contains(token.text) {
                firstLine = firstLine ?? token.line
                modifiers.append(token.text)
                position += 1
                if text() == "(" { skipGroup() }
            } else {
                if token.text == "{" { scopes.append((nil, position)) }
                if token.text == "}" { close(token) }
                (modifiers, firstLine) = ([], nil)
                position += 1
            }
        }
    }

    private static let modifiers: Set = [
        "open", "public", "package", "internal", "fileprivate", "private", "static", "final",
        "mutating", "nonmutating", "nonisolated", "isolated", "convenience", "required", "override",
        "lazy", "weak", "unowned", "indirect", "dynamic", "borrowing", "consuming", "distributed",
    ]

    /// The kind of declaration that `word` opens here, as most words also occur as names.
    private func keyword(_ word: String) -> Declaration.Kind? {
        guard let kind = Declaration.Kind(rawValue: word), text(-1) != ".", text(-1) != "import"
        else { return nil }
        switch kind {
        case .`init`, .subscript: return ["(", "?", "!", "<"].contains(text(1)) ? kind : nil
        case .deinit: return text(1) == "{" ? kind : nil
        case .func: return kind
        case .class where text(1) == "func" || text(1) == "var": return nil
        case .class, .struct, .enum, .actor, .protocol, .extension:
            return SwiftToken.isWord(text(1)) ? kind : nil
        }
    }

    private mutating func declaration(
        _ kind: Declaration.Kind,
        _ modifiers: [String],
        firstLine: Int
    ) {
        let parent = parent
        var name = kind.rawValue
        position += 1
        if kind == .func || !kind.isFunction {
            name = ""
            while position < tokens.count, !endsName(kind, name) {
                name += text()
                position += 1
            }
        }
        let head = head(hasBody: !(kind.isFunction && parent == .protocol))
        var declaration = Declaration(
            kind: kind,
            name: name,
            modifiers: modifiers,
            firstLine: firstLine,
            lastLine: tokens[max(0, position - 1)].line,
            isDocumented: isDocumented(firstLine),
            parent: parent
        )
        declaration.head = head
        if kind.isFunction && kind != .deinit { declaration.name += Self.labels(head) }
        declarations.append(declaration)
        if text() == "{" {
            scopes.append((declarations.count - 1, position))
            position += 1
        }
    }

    /// Whether the name so far is the whole name: an operator ends at its parameters, and the name
    /// of an extended type may have dots.
    private func endsName(_ kind: Declaration.Kind, _ name: String) -> Bool {
        if name.isEmpty { return false }
        if kind == .func {
            let isWord = SwiftToken.isWord(name)
            return text() == "(" || isWord && text() == "<" || !isWord && !tokens[position].touches
        }
        return !(text() == "." || name.hasSuffix("."))
    }

    /// Takes what comes before the body, or before the next thing where there is none.
    private mutating func head(hasBody: Bool) -> [String] {
        var head: [String] = []
        var depth = 0
        while position < tokens.count {
            let token = tokens[position]
            if depth == 0, token.text == "{" || token.text == "}" { break }
            if depth == 0, !hasBody, position > 0, token.line > tokens[position - 1].line {
                let continues = ["where", "throws", "async", "-", ")"].contains(token.text)
                if !continues { break }
            }
            if "([{".contains(token.text) { depth += 1 }
            if ")]}".contains(token.text) { depth -= 1 }
            head.append(token.text)
            position += 1
        }
        return head
    }

    private mutating func close(_ token: SwiftToken) {
        guard let scope = scopes.popLast(), let index = scope.declaration else { return }
        declarations[index].lastLine = token.line
        declarations[index].body = tokens[(scope.start + 1)..<position].map(\.text)
    }

    private var parent: Declaration.Parent {
        guard let index = scopes.last(where: { $0.declaration != nil })?.declaration else {
            return .file
        }
        let outer = declarations[index]
        switch outer.kind {
        case .protocol: return .protocol
        case .extension:
            return outer.head.prefix { $0 != "where" }.contains(":") ? .conformance : .type
        case .class, .struct, .enum, .actor: return .type
        case .func, .`init`, .deinit, .subscript: return .function
        }
    }

    private func isDocumented(_ firstLine: Int) -> Bool {
        guard firstLine > 0 else { return false }
        let comment = comments[firstLine - 1].drop { $0 == " " }
        return comment.hasPrefix("///") || comment.hasSuffix("*/")
    }

    // MARK: Tokens

    private func text(_ offset: Int = 0) -> String {
        let index = position + offset
        return tokens.indices.contains(index) ? tokens[index].text : ""
    }

    private mutating func skipAttribute() {
        position += 2
        while text() == "." { position += 2 }
        if text() == "(", tokens[position].touches { skipGroup() }
    }

    private mutating func skipGroup() {
        var depth = 0
        repeat {
            if text() == "(" { depth += 1 }
            if text() == ")" { depth -= 1 }
            position += 1
        } while depth > 0 && position < tokens.count
    }
}

extension DeclarationScanner {
    /// The argument labels of the first parameter list in `head`, as in `(to:_:)`.
    static func labels(_ head: [String]) -> String {
        guard let start = head.firstIndex(of: "(") else { return "()" }
        var depth = 0
        var labels = ""
        var isDue = true
        for (index, token) in head.enumerated().dropFirst(start) {
            let isArrow = token == ">" && head[index - 1] == "-"
            if ")]}>".contains(token), !isArrow { depth -= 1 }
            if depth == 0, token == ")" { break }
            if isDue, depth == 1, SwiftToken.isWord(token) {
                labels += token + ":"
                isDue = false
            }
            if depth == 1, token == "," { isDue = true }
            if "([{<".contains(token) { depth += 1 }
        }
        return "(" + labels + ")"
    }
}
