/// JSON as Go writes it.
package enum JSONText {
    package static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{8}": quoted += "\\b"
            case "\u{C}": quoted += "\\f"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // Go keeps its JSON from being read as HTML or as a script.
            case "\u{0}"..<" ", "<", ">", "&", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    package static func number(_ number: Double) -> String {
        decimal(number.description)
    }

    package static func number(_ number: Float) -> String {
        decimal(number.description)
    }

    /// An object of members that are JSON already.
    package static func object(_ members: [(name: String, json: String)]) -> String {
        "{" + members.map { string($0.name) + ":" + $0.json }.joined(separator: ",") + "}"
    }

    package static func array(_ values: [String]) -> String {
        "[" + values.joined(separator: ",") + "]"
    }

    /// The shortest digits, without an exponent from 1e-6 up to 1e21.
    private static func decimal(_ text: String) -> String {
        let sign = text.hasPrefix("-") ? "-" : ""
        let parts = text.dropFirst(sign.count).split(separator: "e")
        guard let mantissa = parts.first else { return text }
        let sides = mantissa.split(separator: ".")
        let fraction = sides.count > 1 && sides[1] != "0" ? String(sides[1]) : ""
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return sign + sides[0] + (fraction.isEmpty ? "" : "." + fraction)
        }
        let digits = sides[0] + fraction
        if exponent < -6 || exponent >= 21 {
            let rest = fraction.isEmpty ? "" : "." + fraction
            return "\(sign)\(sides[0])\(rest)e\(exponent < 0 ? "" : "+")\(exponent)"
        }
        if exponent < 0 {
            return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
        }
        let missing = exponent - fraction.count
        if missing >= 0 { return sign + digits + String(repeating: "0", count: missing) }
        return sign + digits.dropLast(-missing) + "." + digits.suffix(-missing)
    }
}
