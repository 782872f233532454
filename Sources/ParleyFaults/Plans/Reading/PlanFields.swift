/// The entries of a mapping whose keys are all known.
struct PlanFields {
    let name: String
    let line: Int
    private let entries: [PlanNode.Entry]

    /// - Throws: `wrongType` if the node is no mapping, `unknownKey` with the nearest known key.
    init(_ node: PlanNode, of name: String, keys: [String]) throws(PlanError) {
        guard case .map(let entries) = node.value else {
            throw PlanError(
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

    subscript(key: String) -> PlanNode? { entries.first { $0.key == key }?.value }

    func required(_ key: String) throws(PlanError) -> PlanNode {
        guard let node = self[key] else {
            throw PlanError(
                .missingKey,
                line: line,
                "\(name) needs \(key).",
                hint: "Add: \(key): …"
            )
        }
        return node
    }
}

extension PlanError {
    static func unknownKey(
        _ key: String,
        of name: String,
        known: [String],
        line: Int
    ) -> PlanError {
        PlanError(
            .unknownKey,
            line: line,
            "\(name) has no \(key.prefix(40)).",
            hint: NearMiss.hint(for: key, among: known)
        )
    }
}

/// Suggests a known word for one that is not known.
enum NearMiss {
    /// The nearest known word if the distance is small, else all known words.
    static func hint(for word: String, among known: [String]) -> String {
        let word = String(word.prefix(40))
        let near = known.map { (distance(word, $0), $0) }.min { $0.0 < $1.0 }
        if let near, near.0 <= max(1, min(3, near.1.count / 2)) {
            return "Did you mean \(near.1)?"
        }
        return "Known: \(known.joined(separator: ", "))"
    }

    /// The edit distance: letters to change, add, remove or swap with the next one.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one.lowercased())
        let other = Array(other.lowercased())
        var rows = [Array(0...other.count)]
        for (i, letter) in one.enumerated() {
            var row = [i + 1]
            for (j, candidate) in other.enumerated() {
                var cost = min(row[j] + 1, rows[i][j + 1] + 1)
                cost = min(cost, rows[i][j] + (letter == candidate ? 0 : 1))
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == candidate {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
