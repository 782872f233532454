import ParleyCore

/// Reads values of one kind; the errors say how such a value is written.
extension PlanNode {
    func text(_ what: String) throws(PlanError) -> String {
        guard case .text(let text) = value, !text.isEmpty else {
            throw wrong(what, "a text")
        }
        return text
    }

    func list(_ what: String) throws(PlanError) -> [PlanNode] {
        guard case .list(let list) = value else {
            throw wrong(what, "a list", hint: "Write: \(what): [ONE, OTHER]")
        }
        return list
    }

    /// The elements of a list, or the value itself as the only element.
    var oneOrMore: [PlanNode] {
        if case .list(let list) = value { return list }
        return [self]
    }

    func number(_ what: String, in range: ClosedRange<Int>) throws(PlanError) -> Int {
        let text = try text(what)
        guard let number = Int(text) else { throw wrong(what, "a whole number") }
        guard range.contains(number) else {
            throw PlanError(
                .badValue,
                line: line,
                "\(what) is \(number).",
                hint: "It can be \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    func yesOrNo(_ what: String) throws(PlanError) -> Bool {
        switch try text(what) {
        case "yes", "true": return true
        case "no", "false": return false
        default: throw wrong(what, "yes or no")
        }
    }

    /// A name of letters, digits and dashes, from which file names are made.
    func name(_ what: String) throws(PlanError) -> String {
        let name = try text(what)
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        let isLetterFirst = name.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
        guard isPlain, isLetterFirst, name.utf8.count <= PlanLimits.nameCharacters else {
            throw PlanError(
                .badValue,
                line: line,
                "\(name.prefix(40)) cannot be a name of \(what).",
                hint: "Small letters, digits and dashes, a letter first, at most "
                    + "\(PlanLimits.nameCharacters)."
            )
        }
        return name
    }

    /// A word of a fixed set.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ what: String,
        of type: Choice.Type
    ) throws(PlanError) -> Choice {
        let text = try text(what)
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue)
            throw PlanError(
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
    func duration(_ what: String, isSigned: Bool = false) throws(PlanError) -> Interval {
        let units: [String: Double] = [
            "ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000,
        ]
        let examples = "Write it as 300ms, 10s, 2min, 1h or 1d."
        guard let milliseconds = measure(try text(what), units) else {
            throw wrong(what, "a time", hint: examples)
        }
        guard isSigned || milliseconds >= 0, abs(milliseconds) <= 36_600 * 86_400_000 else {
            throw PlanError(
                .badValue,
                line: line,
                "\(what) is out of range.",
                hint: isSigned ? "At most 100 years." : "0ms to 100 years."
            )
        }
        return .milliseconds(Int64(milliseconds))
    }

    /// A number of bytes, such as `300B`, `100KB`, `64KiB`, `1MB`.
    func size(_ what: String, limit: Int) throws(PlanError) -> Int {
        let units: [String: Double] = [
            "B": 1, "KB": 1_000, "KiB": 1_024, "MB": 1_000_000, "MiB": 1_048_576,
        ]
        let example = "Write it as 300B, 100KB, 64KiB or 1MB."
        guard let bytes = measure(try text(what), units) else {
            throw wrong(what, "a size", hint: example)
        }
        guard bytes >= 1, bytes <= Double(limit) else {
            throw PlanError(
                .badValue,
                line: line,
                "\(what) is out of range.",
                hint: "1B to \(limit) bytes."
            )
        }
        return Int(bytes)
    }

    /// A rate in bits per second, such as `512kbit`, `4Mbit`; 0 for `off`.
    func bitRate(_ what: String) throws(PlanError) -> Int {
        let text = try text(what)
        if text == "off" || text == "false" { return 0 }
        let units: [String: Double] = ["kbit": 1_000, "Mbit": 1_000_000]
        guard let bits = measure(text, units), bits >= 8_000, bits <= 1_000_000_000 else {
            throw wrong(what, "a rate", hint: "Write it as 512kbit, 4Mbit or off; 8kbit at least.")
        }
        return Int(bits)
    }

    /// A rate in messages per second, such as `500/s`.
    func messageRate(_ what: String) throws(PlanError) -> Int {
        guard let rate = measure(try text(what), ["/s": 1]), rate >= 1, rate <= 100_000 else {
            throw wrong(what, "a rate", hint: "Write it as 500/s, 1/s to 100000/s.")
        }
        return Int(rate)
    }

    /// A share in ten-thousandths, written as a percentage such as `2.5%`.
    func share(_ what: String) throws(PlanError) -> Int {
        guard let percent = measure(try text(what), ["%": 1]), (0...100).contains(percent) else {
            throw wrong(what, "a share", hint: "Write it as 5% or 0.5%.")
        }
        return Int((percent * 100).rounded())
    }

    private func measure(_ text: String, _ units: [String: Double]) -> Double? {
        let number = text.prefix { "0123456789.-".contains($0) }
        guard let unit = units[String(text.dropFirst(number.count))], let count = Double(number),
            number.utf8.count <= 12
        else { return nil }
        return count * unit
    }

    func wrong(_ what: String, _ kind: String, hint: String = "") -> PlanError {
        PlanError(.wrongType, line: line, "\(what) is \(kind), not \(kindWords).", hint: hint)
    }
}
