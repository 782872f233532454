import ParleyYAML

/// Values that only plans have.
extension YAMLNode {
    /// A name of letters, digits and dashes, from which file names are made.
    func name(_ what: String) throws(YAMLError) -> String {
        let name = try text(what)
        let isPlain = name.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        let isLetterFirst = name.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
        guard isPlain, isLetterFirst, name.utf8.count <= PlanLimits.nameCharacters else {
            throw YAMLError(
                .badValue,
                line: line,
                "\(name.prefix(40)) cannot be a name of \(what).",
                hint: "Small letters, digits and dashes, a letter first, at most "
                    + "\(PlanLimits.nameCharacters)."
            )
        }
        return name
    }

    /// A rate in messages per second, such as `500/s`.
    func messageRate(_ what: String) throws(YAMLError) -> Int {
        guard let rate = measure(try text(what), ["/s": 1]), rate >= 1, rate <= 100_000 else {
            throw wrong(what, "a rate", hint: "Write it as 500/s, 1/s to 100000/s.")
        }
        return Int(rate)
    }
}
