import Foundation

/// Where new sessions get their identifiers from: chance, unless a host of tests says otherwise.
package enum SessionIdentifiers {
    /// The source for what runs inside of `withValue`.
    @TaskLocal package static var source: (@Sendable () -> UUID)?

    static func next() -> UUID { source?() ?? UUID() }
}
