import Foundation

/// A line of a log, whose values are put in or left out by their privacy.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    package let text: String

    /// A line without values.
    public init(stringLiteral value: String) {
        text = value
    }

    /// A line with values.
    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }
}

/// The readers of a value in a log.
public struct OSLogPrivacy: Sendable {
    /// The text in a line in place of a private value.
    static let hidden = "<private>"

    /// How a private value is replaced.
    public enum Mask: Sendable {
        case none
        /// By a number that follows from the value; here as `none`.
        case hash
    }

    let isPublic: Bool?

    /// Numbers are public, and everything else is private.
    public static let auto = OSLogPrivacy(isPublic: nil)
    /// The value is in the log.
    public static let `public` = OSLogPrivacy(isPublic: true)
    /// The value is not in the log.
    public static let `private` = OSLogPrivacy(isPublic: false)
    /// The value is not in the log.
    public static let sensitive = OSLogPrivacy(isPublic: false)

    /// The value is not in the log.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    /// The value is not in the log.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
    /// As `auto`.
    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
}

/// The width in which a value stands in a line.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// As wide as the value.
    public static let none = OSLogStringAlignment(columns: 0, isRight: false)

    /// At the right of that many characters, 512 at most.
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: true)
    }

    /// At the left of that many characters, 512 at most.
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: false)
    }

    func applied(to text: String) -> String {
        let missing = min(columns, 512) - text.count
        guard missing > 0 else { return text }
        let space = String(repeating: " ", count: missing)
        return isRight ? space + text : text + space
    }
}

/// How a whole number is written.
public enum OSLogIntegerFormatting: Sendable {
    case decimal
    case hex
    case octal

    var radix: Int {
        switch self {
        case .decimal: 10
        case .hex: 16
        case .octal: 8
        }
    }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
    let digits: Int?

    /// With six digits after the point.
    public static let fixed = OSLogFloatFormatting(digits: 6)
    /// As Swift writes it.
    public static let hybrid = OSLogFloatFormatting(digits: nil)

    /// With that many digits after the point, 0 to 64.
    public static func fixed(precision: Int) -> OSLogFloatFormatting {
        OSLogFloatFormatting(digits: min(max(0, precision), 64))
    }
}

/// The pieces of a line while the compiler puts it together.
public struct OSLogInterpolation: StringInterpolationProtocol {
    private(set) var text = ""

    /// An empty line.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a piece of the text of the program.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds a whole number.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some FixedWidthInteger,
        format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        add(privacy.isPublic ?? true, align) { String(number(), radix: format.radix) }
    }

    /// Adds a number.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> some BinaryFloatingPoint,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        add(privacy.isPublic ?? true, align) {
            let value = Double(number())
            return format.digits.map { String(format: "%.\($0)f", value) } ?? "\(value)"
        }
    }

    /// Adds a truth value.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Bool,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        add(privacy.isPublic ?? true, align) { "\(value())" }
    }

    /// Adds the description of a value.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some Any,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        add(privacy.isPublic ?? false, align) { "\(value())" }
    }

    private mutating func add(
        _ isPublic: Bool,
        _ alignment: OSLogStringAlignment,
        _ value: () -> String
    ) {
        text += isPublic ? alignment.applied(to: value()) : OSLogPrivacy.hidden
    }
}
