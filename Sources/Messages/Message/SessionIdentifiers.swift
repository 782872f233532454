import Foundation

/// Makes the identifiers of new sessions: random ones, unless a test harness sets a source.
package enum SessionIdentifiers {
    /// The source of identifiers for code that runs inside `withValue`.
    ///
    /// The value is one reference. With a closure, which is two words, `withValue` crashes in
    /// optimized code: the compiler passes such a value in another way than the runtime expects.
    @TaskLocal package static var source: Source?

    /// A source of identifiers.
    package final class Source: Sendable {
        fileprivate let next: @Sendable () -> UUID

        package init(_ next: @escaping @Sendable () -> UUID) {
            self.next = next
        }
    }

    static func next() -> UUID { source.map { $0.next() } ?? UUID() }
}
