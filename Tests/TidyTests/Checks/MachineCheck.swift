/// Keeps `NodeMachine` to dispatch, step and order of effects: what it grows beyond its limits
/// belongs to one of the values that it holds.
enum MachineCheck {
    static let file = "Sources/ParleyCore/Node/NodeMachine.swift"
    /// The lines of `NodeMachine.swift` and of all its extensions together.
    static let linesMax = 758
    static let storedPropertiesMax = 12

    static func findings(_ files: [SwiftFile]) -> [Finding] {
        let beginning = file.dropLast(".swift".count)
        let parts = files.filter { $0.path == file || $0.path.hasPrefix("\(beginning)+") }
        guard let main = parts.first(where: { $0.path == file }) else { return [] }
        var findings: [Finding] = []
        let lines = parts.reduce(0) { $0 + $1.file.lines.count }
        if lines > linesMax {
            findings.append(
                main.file.finding(0, "\(lines) lines in all files, at most \(linesMax)")
            )
        }
        let properties = storedProperties(main)
        if properties > storedPropertiesMax {
            findings.append(
                main.file.finding(
                    0,
                    "\(properties) stored properties, at most \(storedPropertiesMax)"
                )
            )
        }
        return findings
    }

    /// The properties of the outermost types without a getter.
    static func storedProperties(_ file: SwiftFile) -> Int {
        file.code.count { line in
            guard line.hasPrefix("    "), line.dropFirst(4).first?.isLetter == true else {
                return false
            }
            let words = line.split(separator: " ")
            return !line.contains("{") && !words.contains("static")
                && words.contains { $0 == "let" || $0 == "var" }
        }
    }
}
