import ParleyAPI
import ParleyProxy
import ParleyYAML

/// The attributes of toxics as people read and write them.
enum ToxicAttributes {
    /// A line for each type with its attributes and their units.
    static var table: String {
        ToxicKind.allCases.map { kind in
            let fields = kind.fields.map { "\($0.name) (\($0.unit))" }.joined(separator: ", ")
            let name = kind.rawValue.padding(to: 12)
            return "  \(name)\(fields.isEmpty ? "no attributes" : fields)"
        }
        .joined(separator: "\n")
    }

    /// The JSON of a value.
    static func json(_ text: String, of field: ToxicKind.Field) throws(Problem) -> String {
        switch field.standard {
        case .integer:
            if let number = Int64(text), field.range.contains(Double(number)) {
                return "\(number)"
            }
            let least = Int64(field.range.lowerBound)
            throw .badInput(
                "\(field.name) is a whole number of \(field.unit), at least \(least), not \(text).",
                hint: "Write it without the unit: \(field.name)=100"
            )
        case .number:
            if let number = Double(text), field.range.contains(number) {
                return JSONText.number(number)
            }
            throw .badInput(
                "\(field.name) is a number, \(field.unit), not \(text).",
                hint: "A tenth is 0.1: \(field.name)=0.1"
            )
        case .word:
            if field.words.contains(text) { return JSONText.string(text) }
            throw .badInput(
                "\(field.name) is \(field.words.joined(separator: " or ")), not \(text).",
                hint: NearMiss.hint(for: text, among: field.words)
            )
        }
    }

    /// Prints a toxic that was made or changed.
    static func show(_ answer: String, asJSON: Bool) throws {
        if asJSON { return Output.standard.line(answer) }
        let view = ToxicView(try JSONReader.read(Array(answer.utf8)))
        Output.standard.line(
            "\(view.name): \(view.attributes) (\(view.stream), toxicity \(view.toxicity))"
        )
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
