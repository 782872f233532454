/// A table of text whose columns are as wide as their widest cells.
package struct TextTable: Sendable {
    private let titles: [String]
    private var rows: [[String]] = []

    /// Makes a table with a title for each column.
    package init(_ titles: [String]) {
        self.titles = titles
    }

    /// Adds a row with a cell for each column; the cells may be coloured.
    package mutating func add(_ cells: [String]) {
        precondition(cells.count == titles.count, "A row has a cell for each column.")
        rows.append(cells)
    }

    /// The lines of the table, the titles first.
    package var lines: [String] {
        let all = [titles] + rows
        let widths = titles.indices.map { column in
            all.map { TerminalText.columns($0[column]) }.max() ?? 0
        }
        return all.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                let space = String(repeating: " ", count: width - TerminalText.columns(cell) + 2)
                line += cell + space
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}

extension Output {
    /// Writes the table, its titles dimmed.
    func table(_ table: TextTable) {
        for (number, text) in table.lines.enumerated() {
            line(number == 0 ? style(.dim, text) : text)
        }
    }
}
