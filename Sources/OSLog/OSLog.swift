import Logging

/// A log of a program; each line begins with the subsystem and the category.
///
/// The lines go to swift-log: on a node, to the log of the node.
///
/// Apple's documentation: <https://developer.apple.com/documentation/os/oslog>.
public final class OSLog: Sendable {
    /// The log of a program without a subsystem and a category.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log whose lines are written nowhere.
    public static let disabled = OSLog(label: nil)

    /// The most characters of a line; the rest is left out.
    private static let lineCharactersMax = 1_024

    private let label: String?

    /// A log with the given names, such as `org.example.game` and `rules`.
    public convenience init(subsystem: String, category: String) {
        let names = [subsystem, category].filter { !$0.isEmpty }
        self.init(label: names.isEmpty ? "app" : names.joined(separator: ":"))
    }

    private init(label: String?) {
        self.label = label
    }

    /// Writes a line.
    ///
    /// Each line gets a new logger, as an app may make its log before logging is set up. The text
    /// may come from other people, so it stays on one line and has no control characters.
    func write(_ text: @autoclosure () -> String, _ type: OSLogType) {
        guard let label else { return }
        Logging.Logger(label: label).log(
            level: type.level,
            "\(Self.printable(text()).prefix(Self.lineCharactersMax))"
        )
    }

    /// The text, with a replacement character for each scalar that a terminal would not print.
    package static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// How much a line of a log matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// The number, as Apple counts.
    public let rawValue: UInt8

    /// A type with the given number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A line that helps to find a fault later.
    public static let `default` = OSLogType(rawValue: 0)
    /// A line that helps, and is not kept for long.
    public static let info = OSLogType(rawValue: 1)
    /// A line for the time of development.
    public static let debug = OSLogType(rawValue: 2)
    /// A line about an error.
    public static let error = OSLogType(rawValue: 16)
    /// A line about a fault of the program.
    public static let fault = OSLogType(rawValue: 17)

    var level: Logging.Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}
