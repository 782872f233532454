import Foundation

/// A format of `printf`, with Apple's `{public}` and `{private}`.
///
/// The type of a value decides how it is written, whatever the format says. So a wrong format gives
/// an odd line, and never reads foreign memory.
package struct OSLogFormat {
    private let format: String

    package init(_ format: StaticString) {
        self.format = "\(format)"
    }

    /// The line with the values in place of the specifications, in order.
    package func filled(with values: [Any]) -> String {
        var (line, rest, values) = ("", format[...], values[...])
        while let start = rest.firstIndex(of: "%") {
            line += rest[..<start]
            rest = rest[start...].dropFirst()
            if rest.first == "%" {
                line += "%"
                rest = rest.dropFirst()
                continue
            }
            let specification = Specification(&rest)
            line += values.popFirst().map(specification.text) ?? "<missing>"
        }
        return line + rest
    }

    /// The part of a format that stands for one value.
    private struct Specification {
        private let isPublic: Bool?
        /// The flags, the width and the precision.
        private let flags: Substring
        private let conversion: Character?

        init(_ rest: inout Substring) {
            var names: [Substring] = []
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                names = rest[..<end].dropFirst().split(separator: ",")
                rest = rest[end...].dropFirst()
            }
            isPublic =
                names.contains("public")
                ? true : names.contains("private") || names.contains("sensitive") ? false : nil
            flags = rest.prefix { "0123456789.+- #'".contains($0) }
            rest = rest.dropFirst(flags.count).drop { "hlqLztj".contains($0) }
            conversion = rest.popFirst()
        }

        func text(_ value: Any) -> String {
            switch value {
            case let number as any BinaryInteger:
                guard isPublic ?? true else { return OSLogPrivacy.hidden }
                let isHex = conversion == "x" || conversion == "X"
                return isHex ? String(number, radix: 16) : "\(number)"
            case let number as any BinaryFloatingPoint:
                guard isPublic ?? true else { return OSLogPrivacy.hidden }
                let known = "eEfFgG".contains(conversion ?? "f") ? conversion ?? "f" : "f"
                let width = flags.allSatisfy { "0123456789.+-".contains($0) } ? flags.prefix(8) : ""
                return String(format: "%\(width)\(known)", Double(number))
            default: return isPublic ?? (value is Bool) ? "\(value)" : OSLogPrivacy.hidden
            }
        }
    }
}
