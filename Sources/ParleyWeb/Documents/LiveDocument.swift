/// A bubble that its app draws.
package struct LiveDocument: Codable, Hashable, Sendable {
    package var conversation: String
    /// The ID of the message.
    package var message: String
    /// A number that is higher than those of all earlier documents of the node.
    package var serial: UInt64
    /// The version of the views, which actions refer to.
    package var version: UInt64
    /// The size in which the app draws, in points.
    package var width: Double
    package var height: Double
    /// Absent once the app draws the bubble no more; its template layout is shown then.
    package var tree: ViewDocument?
}
