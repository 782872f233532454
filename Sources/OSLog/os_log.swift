/// Writes a line to a log: a format as of `printf` and the values for it.
///
/// A text is private unless the format says `%{public}@`, and numbers are public unless it says
/// `%{private}d`. Flags and widths count for numbers with a fraction only, such as `%.2f`.
public func os_log(
    _ message: StaticString,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ arguments: Any...
) {
    log.write(OSLogFormat(message).filled(with: arguments), type)
}

/// Writes a line to a log, as above.
public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    _ message: StaticString,
    _ arguments: Any...
) {
    log.write(OSLogFormat(message).filled(with: arguments), type)
}

/// Writes a line to a log; values are private or public as with `Logger`.
@_disfavoredOverload
public func os_log(
    _ type: OSLogType = .default,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    _ message: OSLogMessage
) {
    log.write(message.text, type)
}
