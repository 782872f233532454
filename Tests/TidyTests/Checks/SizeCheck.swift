/// Keeps files, functions and lines at a size that can be taken in at once.
enum SizeCheck {
    static let fileLinesMax = 500
    static let functionLinesMax = 60
    static let columnsMax = 100

    static func findings(_ file: SwiftFile) -> [Finding] {
        var findings: [Finding] = []
        let lines = file.file.lines
        if lines.count > fileLinesMax {
            findings.append(
                file.file.finding(fileLinesMax, "\(lines.count) lines, at most \(fileLinesMax)")
            )
        }
        for (index, line) in lines.enumerated() where line.count > columnsMax {
            findings.append(
                file.file.finding(index, "\(line.count) columns, at most \(columnsMax)")
            )
        }
        for declaration in file.declarations
        where declaration.kind.isFunction && declaration.lineCount > functionLinesMax {
            let size = "\(declaration.lineCount) lines, at most \(functionLinesMax)"
            findings.append(
                file.file.finding(declaration.firstLine, "\(declaration.name): \(size)")
            )
        }
        return findings
    }
}
