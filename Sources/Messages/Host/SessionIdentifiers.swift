import Foundation

/// Makes the identifiers of new sessions: random ones, unless a test harness sets a source.
package enum SessionIdentifiers {
    /// The source of identifiers for code that runs inside `withValue`.
    @TaskLocal package static var source: (@Sendable () -> UUID)?

    static func next() -> UUID { source?() ?? UUID() }
}
