import Yams

/// A value of a YAML file, with its line.
package struct YAMLNode: Sendable {
    /// A key of a mapping, and its value.
    package struct Entry: Sendable {
        package let key: String
        package let line: Int
        package let value: YAMLNode
    }

    /// The kinds of values.
    package enum Value: Sendable {
        case text(String)
        case list([YAMLNode])
        case map([Entry])
    }

    /// The line, from 1; 0 if the value is in no file.
    package let line: Int
    package let value: Value

    package init(line: Int, value: Value) {
        self.line = line
        self.value = value
    }

    /// A text as a node of its own, for the readers of values.
    package init(text: String, line: Int = 0) {
        self.init(line: line, value: .text(text))
    }

    /// Reads a YAML document; nil if there is none in the file.
    ///
    /// - Throws: `YAMLError.notYAML`, also for anchors and more than one document; `badValue` for a
    ///   text with a NUL character.
    package static func read(_ yaml: String) throws(YAMLError) -> YAMLNode? {
        let root: Node?
        // The parser keeps anchors, so each file gets a fresh parser.
        let parser: Parser
        do {
            parser = try Parser(yaml: yaml)
            root = try parser.singleRoot()
        } catch {
            throw YAMLError(error, yaml: yaml)
        }
        guard let root else { return nil }
        let node = try YAMLNode(root, of: "A text")
        withExtendedLifetime(parser) {}
        return node
    }

    private init(_ node: Node, of key: String) throws(YAMLError) {
        line = node.mark?.line ?? 0
        guard node.anchor == nil else {
            throw YAMLError(
                .notYAML,
                line: line,
                "Anchors and aliases are not allowed here.",
                hint: "Write the value out."
            )
        }
        switch node {
        case .scalar(let scalar):
            // A NUL character would silently end a path.
            guard !scalar.string.utf8.contains(0) else {
                throw YAMLError(
                    .badValue,
                    line: line,
                    "\(key) has a NUL character, which no value can have.",
                    hint: "Remove the \\0, \\x00 or \\u0000."
                )
            }
            value = .text(scalar.string)
        case .sequence(let sequence):
            var list: [YAMLNode] = []
            for element in sequence { list.append(try YAMLNode(element, of: key)) }
            value = .list(list)
        case .mapping(let mapping):
            var entries: [Entry] = []
            for (key, value) in mapping {
                guard case .scalar(let name) = key else {
                    let line = key.mark?.line ?? line
                    throw YAMLError(.notYAML, line: line, "A key must be one word.")
                }
                let entry = Entry(
                    key: name.string,
                    line: key.mark?.line ?? line,
                    value: try YAMLNode(value, of: name.string)
                )
                entries.append(entry)
            }
            value = .map(entries)
        case .alias:
            throw YAMLError(.notYAML, line: line, "Aliases are not allowed here.")
        }
    }

    /// The kind of value, in words for error messages.
    package var kindWords: String {
        switch value {
        case .text(""): "nothing"
        case .text(let text): "\u{201C}\(text.prefix(40))\u{201D}"
        case .list: "a list"
        case .map: "a mapping"
        }
    }
}

extension YAMLError {
    fileprivate init(_ error: any Error, yaml: String) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?,
            .composer(_, let problem, let mark, _)?:
            self.init(.notYAML, line: mark.line, "This is not YAML: \(problem).", hint: Self.cure)
        case .duplicatedKeysInMapping(let keys, let context)?:
            let key = keys.sorted().first ?? ""
            self.init(
                .repeated,
                line: Self.line(ofSecond: key, from: context.mark.line, in: yaml),
                "\(key) is there twice.",
                hint: "Remove one of them."
            )
        case .reader(let problem, _, _, _)?:
            self.init(.notYAML, line: 0, "This is not YAML: \(problem).", hint: "Save it as UTF-8.")
        case let other?: self.init(.notYAML, line: 0, "This is not YAML: \(other).")
        case nil: self.init(.notYAML, line: 0, "This is not YAML: \(error).")
        }
    }

    /// The line of the second entry of this key in a mapping that begins on a line.
    private static func line(ofSecond key: String, from start: Int, in yaml: String) -> Int {
        let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
        let found = lines.indices.filter { index in
            index + 1 >= start && lines[index].drop { " -\"'".contains($0) }.hasPrefix(key)
        }
        return found.count > 1 ? found[1] + 1 : start
    }

    private static let cure =
        "Check the indentation, and quote texts that hold ': ' or begin with ?"
}
