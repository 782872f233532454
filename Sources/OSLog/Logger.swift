/// Writes lines to a log.
///
/// As with Apple's, a text in a line is private unless it is declared to be public, and numbers are
/// public: `logger.info("\(player, privacy: .public) has \(count)")`.
///
/// Apple's documentation: <https://developer.apple.com/documentation/os/logger>.
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger for the log with that name.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// A logger for the log.
    public init(_ log: OSLog) {
        self.log = log
    }

    /// A logger for the default log.
    public init() {
        log = .default
    }

    /// Writes a line of the type `default`.
    public func log(_ message: OSLogMessage) { log.write(message.text, .default) }

    /// Writes a line.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, level) }

    /// Writes a line of the type `debug`.
    public func trace(_ message: OSLogMessage) { log.write(message.text, .debug) }

    /// Writes a line of the type `debug`.
    public func debug(_ message: OSLogMessage) { log.write(message.text, .debug) }

    /// Writes a line of the type `info`.
    public func info(_ message: OSLogMessage) { log.write(message.text, .info) }

    /// Writes a line of the type `default`.
    public func notice(_ message: OSLogMessage) { log.write(message.text, .default) }

    /// Writes a line of the type `error`.
    public func warning(_ message: OSLogMessage) { log.write(message.text, .error) }

    /// Writes a line of the type `error`.
    public func error(_ message: OSLogMessage) { log.write(message.text, .error) }

    /// Writes a line of the type `fault`.
    public func critical(_ message: OSLogMessage) { log.write(message.text, .fault) }

    /// Writes a line of the type `fault`.
    public func fault(_ message: OSLogMessage) { log.write(message.text, .fault) }
}
