/// The entries of a mapping whose keys are all known.
package struct YAMLFields {
    package let name: String
    package let line: Int
    private let entries: [YAMLNode.Entry]

    /// - Throws: `wrongType` if the node is no mapping, `unknownKey` with the nearest known key.
    package init(_ node: YAMLNode, of name: String, keys: [String]) throws(YAMLError) {
        guard case .map(let entries) = node.value else {
            throw YAMLError(
                .wrongType,
                line: node.line,
                "\(name) is a mapping, not \(node.kindWords).",
                hint:
                    "Write: \(name): {\(keys.prefix(3).map { "\($0): …" }.joined(separator: ", "))}"
            )
        }
        for entry in entries where !keys.contains(entry.key) {
            throw .unknownKey(entry.key, of: name, known: keys, line: entry.line)
        }
        self.name = name
        self.line = node.line
        self.entries = entries
    }

    package subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    package func required(_ key: String) throws(YAMLError) -> YAMLNode {
        guard let node = self[key] else {
            throw YAMLError(
                .missingKey,
                line: line,
                "\(name) needs \(key).",
                hint: "Add: \(key): …"
            )
        }
        return node
    }
}

extension YAMLError {
    /// The error of a key that `name` does not have, with the known key that was most likely meant.
    package static func unknownKey(
        _ key: String,
        of name: String,
        known: [String],
        line: Int
    ) -> YAMLError {
        YAMLError(
            .unknownKey,
            line: line,
            "\(name) has no \(key.prefix(40)).",
            hint: NearMiss.hint(for: key, among: known)
        )
    }
}
