package import ParleyCore

/// Reads values of one kind; the errors say how such a value is written.
extension YAMLNode {
    package func text(_ what: String) throws(YAMLError) -> String {
        guard case .text(let text) = value, !text.isEmpty else {
            throw wrong(what, "a text")
        }
        return text
    }

    package func list(_ what: String) throws(YAMLError) -> [YAMLNode] {
        guard case .list(let list) = value else {
            throw wrong(what, "a list", hint: "Write: \(what): [ONE, OTHER]")
        }
        return list
    }

    /// The elements of a list, or the value itself as the only element.
    package var oneOrMore: [YAMLNode] {
        if case .list(let list) = value { return list }
        return [self]
    }

    /// A whole number.
    package func number(_ what: String, in range: ClosedRange<Int>) throws(YAMLError) -> Int {
        let text = try text(what)
        guard let number = Int(text) else { throw wrong(what, "a whole number") }
        guard range.contains(number) else {
            throw YAMLError(
                .badValue,
                line: line,
                "\(what) is \(number).",
                hint: "It can be \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    package func yesOrNo(_ what: String) throws(YAMLError) -> Bool {
        guard let isYes = Self.isYes(try text(what)) else { throw wrong(what, "yes or no") }
        return isYes
    }

    /// Whether a word means yes or no; nil if it means neither.
    package static func isYes(_ word: String) -> Bool? {
        switch word {
        case "yes", "true", "on": true
        case "no", "false", "off": false
        default: nil
        }
    }

    /// One of a fixed set of words.
    package func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ what: String,
        of type: Choice.Type
    ) throws(YAMLError) -> Choice {
        let text = try text(what)
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue)
            throw YAMLError(
                .badValue,
                line: line,
                "\(text.prefix(40)) is no \(what).",
                hint: NearMiss.hint(for: text, among: words)
            )
        }
        return choice
    }

    // MARK: Numbers with a unit

    /// A duration, such as `300ms`, `1.5s`, `2min`, `1h`, `-1d`.
    package func duration(_ what: String, isSigned: Bool = false) throws(YAMLError) -> Interval {
        let units: [String: Double] = [
            "ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000,
        ]
        let examples = "Write it as 300ms, 10s, 2min, 1h or 1d."
        guard let milliseconds = measure(try text(what), units) else {
            throw wrong(what, "a time", hint: examples)
        }
        guard isSigned || milliseconds >= 0, abs(milliseconds) <= 36_600 * 86_400_000 else {
            throw YAMLError(
                .badValue,
                line: line,
                "\(what) is out of range.",
                hint: isSigned ? "At most 100 years." : "0ms to 100 years."
            )
        }
        return .milliseconds(Int64(milliseconds))
    }

    /// A number of bytes, such as `300B`, `100KB`, `64KiB`, `1MB`, `2GiB`.
    package func size(_ what: String, in range: ClosedRange<Int>) throws(YAMLError) -> Int {
        let units: [String: Double] = [
            "B": 1, "KB": 1_000, "KiB": 1_024, "MB": 1_000_000, "MiB": 1_048_576,
            "GB": 1_000_000_000, "GiB": 1_073_741_824, "TB": 1_000_000_000_000,
            "TiB": 1_099_511_627_776,
        ]
        let example = "Write it as 300B, 100KB, 64KiB or 1MB."
        guard let bytes = measure(try text(what), units) else {
            throw wrong(what, "a size", hint: example)
        }
        guard bytes >= Double(range.lowerBound), bytes <= Double(range.upperBound) else {
            throw YAMLError(
                .badValue,
                line: line,
                "\(what) is out of range.",
                hint: "\(range.lowerBound)B to \(range.upperBound)B."
            )
        }
        return Int(bytes)
    }

    /// A rate in bits per second, such as `512kbit`, `4Mbit`; 0 for `off`.
    package func bitRate(_ what: String) throws(YAMLError) -> Int {
        let text = try text(what)
        if text == "off" || text == "false" { return 0 }
        let units: [String: Double] = ["kbit": 1_000, "Mbit": 1_000_000]
        guard let bits = measure(text, units), bits >= 8_000, bits <= 1_000_000_000 else {
            throw wrong(what, "a rate", hint: "Write it as 512kbit, 4Mbit or off; 8kbit at least.")
        }
        return Int(bits)
    }

    /// A share in ten-thousandths, written as a percentage such as `2.5%`.
    package func share(_ what: String) throws(YAMLError) -> Int {
        guard let percent = measure(try text(what), ["%": 1]), (0...100).contains(percent) else {
            throw wrong(what, "a share", hint: "Write it as 5% or 0.5%.")
        }
        return Int((percent * 100).rounded())
    }

    /// A number with one of `units`, in the smallest unit; nil for any other text.
    package func measure(_ text: String, _ units: [String: Double]) -> Double? {
        let number = text.prefix { "0123456789.-".contains($0) }
        guard let unit = units[String(text.dropFirst(number.count))], let count = Double(number),
            number.utf8.count <= 12
        else { return nil }
        return count * unit
    }

    /// The error of a value that is not of this kind.
    package func wrong(_ what: String, _ kind: String, hint: String = "") -> YAMLError {
        YAMLError(.wrongType, line: line, "\(what) is \(kind), not \(kindWords).", hint: hint)
    }
}
