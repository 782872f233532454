/// The figures as tables in Markdown, one for each set of columns.
struct Table {
    private let summaries: [Summary]
    /// Whether a column has the lowest and the highest value beside the median.
    private let hasSpread: (String) -> Bool

    init(_ summaries: [Summary], hasSpread: @escaping (String) -> Bool = { _ in true }) {
        self.summaries = summaries
        self.hasSpread = hasSpread
    }

    /// All tables, and the verdicts on the targets.
    var text: String {
        let targets = summaries.flatMap(Self.targets)
        return targets.isEmpty ? tables : tables + "\n\n" + targets.joined(separator: "\n")
    }

    /// All tables.
    var tables: String {
        var blocks: [String] = []
        var group: [Summary] = []
        for summary in summaries {
            if let first = group.first, first.columns != summary.columns {
                blocks.append(block(group))
                group = []
            }
            group.append(summary)
        }
        if !group.isEmpty { blocks.append(block(group)) }
        return blocks.joined(separator: "\n\n")
    }

    private func block(_ group: [Summary]) -> String {
        let columns = group[0].columns
        let cells = group.map { summary in
            [summary.name]
                + columns.map { column in
                    let isOne = summary.rounds.count == 1 || !hasSpread(column)
                    return Self.cell(summary.spread(column), isOne: isOne)
                }
        }
        let table = [["row"] + columns] + cells
        let widths = table[0].indices.map { column in
            table.map { $0[column].count }.max() ?? 0
        }
        let lines = table.map { line in
            "| "
                + zip(line, widths).map { cell, width in
                    cell + String(repeating: " ", count: width - cell.count)
                }.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func targets(_ summary: Summary) -> [String] {
        summary.targets.map { target in
            let median = summary.spread(target.figure).median
            let wanted =
                switch target.bound {
                case .atMost(let limit): "at most \(number(limit))"
                case .atLeast(let limit): "at least \(number(limit))"
                }
            let verdict = target.isReached(by: median) ? "reached" : "MISSED"
            return "\(verdict): \(summary.name), \(target.figure) \(number(median)), \(wanted)"
        }
    }

    private static func cell(_ spread: Spread, isOne: Bool) -> String {
        isOne
            ? number(spread.median)
            : "\(number(spread.median)) [\(number(spread.lowest))..\(number(spread.highest))]"
    }

    /// The value with three significant digits.
    private static func number(_ value: Double) -> String {
        let places: Double =
            switch abs(value) {
            case 100...: 1
            case 10...: 10
            case 1...: 100
            default: 1_000
            }
        let rounded = (value * places).rounded() / places
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
