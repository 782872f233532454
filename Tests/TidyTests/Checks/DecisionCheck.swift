/// The decision records: numbered from 0001 without a gap, and all of them in the list.
enum DecisionCheck {
    static let folder = "docs/decisions/"

    static func findings(_ files: [TreeFile]) -> [Finding] {
        let records = files.filter { $0.path.hasPrefix(folder) && number($0) != nil }
            .sorted { $0.path < $1.path }
        var findings: [Finding] = []
        for (index, record) in records.enumerated() where number(record) != index + 1 {
            findings.append(record.finding(0, "the next number is \(index + 1)"))
        }
        let list = files.first { $0.path == folder + "README.md" }
        for record in records where list?.text.contains("](\(record.name))") != true {
            findings.append(record.finding(0, "not listed in \(folder)README.md"))
        }
        return findings
    }

    /// The number in a name such as `0012-why-not.md`.
    private static func number(_ file: TreeFile) -> Int? {
        guard file.isMarkdown, file.name.count > 5, file.name.dropFirst(4).hasPrefix("-") else {
            return nil
        }
        return Int(file.name.prefix(4))
    }
}
