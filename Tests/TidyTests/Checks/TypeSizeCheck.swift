/// Keeps each type of `Sources` at a size that can be held in the head: its lines together with all
/// its extensions, and the stored properties that can change.
///
/// A nested type counts for itself. A record, which is a struct or an enum without `mutating`
/// functions, may have any number of properties.
enum TypeSizeCheck {
    struct Size: Sendable, Equatable {
        var lines = 0
        var properties = 0
    }

    static let usual = Size(lines: 700, properties: 15)

    /// What owns I/O or a whole simulation has more lines, and its state in values of their own.
    static let larger: [String: Int] = [
        "Node": 1_000, "NodeMachine": 800, "NodeShell": 1_000, "AppHost": 1_000, "AppPanel": 1_000,
        "ParleyCore Conversation": 1_000, "World": 1_200,
    ]

    /// The types beyond their limits, none at present.
    ///
    /// These figures only go down; a type that is within its limits leaves the list.
    static let beyond: [String: Size] = [:]

    /// A type with its extensions, wherever they are.
    private struct Measured {
        let file: TreeFile
        let line: Int
        let isReference: Bool
        var isChanging = false
        var size = Size()
    }

    static func findings(
        _ files: [SwiftFile],
        beyond: [String: Size] = beyond
    ) -> [Finding] {
        var findings: [Finding] = []
        var rest = Set(beyond.keys)
        for (name, type) in measured(files).sorted(by: { $0.key < $1.key }) {
            let isRecord = !type.isReference && !type.isChanging
            let properties = isRecord ? 0 : type.size.properties
            let usual = Size(lines: larger[name] ?? usual.lines, properties: usual.properties)
            let limit = beyond[name] ?? usual
            if type.size.lines > limit.lines {
                let message = "\(name): \(type.size.lines) lines, at most \(limit.lines)"
                findings.append(type.file.finding(type.line, message))
            }
            if properties > limit.properties {
                let message = "\(properties) stored properties that change"
                findings.append(
                    type.file.finding(
                        type.line,
                        "\(name): \(message), at most \(limit.properties)"
                    )
                )
            }
            if type.size.lines > usual.lines || properties > usual.properties { rest.remove(name) }
        }
        for name in rest.sorted() {
            findings.append(TreeFile("", "").finding(0, "\(name) is within its limits"))
        }
        return findings
    }

    /// The types by their names; a name that means several types has its target as well, and a
    /// private one its file.
    private static func measured(_ files: [SwiftFile]) -> [String: Measured] {
        let parts = files.flatMap(parts)
        let declared = parts.filter { $0.declaration.kind != .extension }
        let homes = Dictionary(grouping: declared, by: \.name).mapValues { Set($0.map(\.target)) }
        func name(_ part: Part) -> String {
            (homes[part.name]?.count ?? 0) > 1 ? "\(part.target) \(part.name)" : part.name
        }
        var types: [String: Measured] = [:]
        for part in declared {
            types[name(part)] = Measured(
                file: part.file,
                line: part.declaration.firstLine,
                isReference: [.class, .actor].contains(part.declaration.kind)
            )
        }
        for part in parts {
            types[name(part)]?.size.lines += part.size.lines
            types[name(part)]?.size.properties += part.size.properties
            if part.isChanging { types[name(part)]?.isChanging = true }
        }
        return types
    }
}

extension TypeSizeCheck {
    /// A declaration of a type or one of its extensions.
    struct Part {
        let name: String
        let target: String
        let declaration: Declaration
        let file: TreeFile
        var size = Size()
        /// Whether it has a `mutating` function.
        var isChanging = false
    }

    /// The parts in a file, without what stands in functions.
    static func parts(_ file: SwiftFile) -> [Part] {
        guard let target = file.target else { return [] }
        let types = file.declarations.filter {
            !$0.kind.isFunction && $0.kind != .protocol && $0.parent != .function
        }
        let privates = Set(types.filter(isPrivate).map(\.name))
        return types.map { type in
            let outer = types.filter { contains($0, type) }
            var name = (outer + [type]).map(\.name).joined(separator: ".")
            let first = name.prefix { $0 != "." }
            if privates.contains(String(first)) { name += " in \(file.file.name)" }
            var part = Part(name: name, target: target, declaration: type, file: file.file)
            let inner = types.filter { contains(type, $0) }
            let direct = inner.filter { one in !inner.contains { contains($0, one) } }
            part.size.lines = type.lineCount - direct.reduce(0) { $0 + $1.lineCount }
            part.size.properties = properties(of: type, in: file)
            part.isChanging = file.declarations.contains { function in
                function.modifiers.contains("mutating") && contains(type, function)
                    && !inner.contains { contains($0, function) }
            }
            return part
        }
    }

    private static func isPrivate(_ type: Declaration) -> Bool {
        type.parent == .file
            && type.modifiers.contains { $0 == "private" || $0 == "fileprivate" }
    }

    private static func contains(_ outer: Declaration, _ inner: Declaration) -> Bool {
        outer.firstLine < inner.firstLine && inner.lastLine <= outer.lastLine
    }

    /// The stored properties that are declared with `var`: each is one step further in than the
    /// type.
    private static func properties(of type: Declaration, in file: SwiftFile) -> Int {
        func indent(_ line: Int) -> Int { file.code[line].prefix { $0 == " " }.count }
        let inside = (type.firstLine + 1)..<max(type.firstLine + 1, type.lastLine)
        return inside.count { line in
            guard indent(line) == indent(type.firstLine) + 4 else { return false }
            let text = file.code[line..<min(line + 2, file.code.count)]
            return isStored(SwiftToken.tokens(Array(text)))
        }
    }

    /// Whether these tokens, of a line and the next one, begin a stored property that can change.
    private static func isStored(_ tokens: [SwiftToken]) -> Bool {
        guard let start = tokens.firstIndex(where: { $0.text == "var" && $0.line == 0 }) else {
            return false
        }
        let before = tokens[..<start].map(\.text)
        guard !before.contains(where: { ["static", "func", "{", "let"].contains($0) }) else {
            return false
        }
        let rest = tokens[start...].filter { $0.line == 0 || $0.text.hasSuffix("Set") }
        guard let end = rest.firstIndex(where: { $0.text == "=" || $0.text == "{" }),
            rest[end].text == "{"
        else { return true }
        return rest[end...].dropFirst().first.map { $0.text.hasSuffix("Set") } ?? false
    }
}
