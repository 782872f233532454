/// A command that a browser has refused.
package struct DriverProblem: Error, CustomStringConvertible {
    /// The error code of WebDriver, for example `stale element reference`.
    package let error: String
    package let message: String

    package var description: String { "\(error): \(message.prefix(300))" }
}
