/// A position in a peer's change feed.
package struct FeedCursor: Sendable, Hashable {
    /// The incarnation that assigned the position; 0 before the first contact.
    package let incarnation: UInt64
    package let position: UInt64

    package init(incarnation: UInt64, position: UInt64) {
        self.incarnation = incarnation
        self.position = position
    }

    package static let beginning = FeedCursor(incarnation: 0, position: 0)

    /// The end of all positions; a peer that claims a higher position broke the protocol.
    package static let positionEnd: UInt64 = 1 << 62

    /// Refuses a position that no node can have reached.
    static func check(position: UInt64) throws(Refusal) {
        guard position < positionEnd else {
            throw .overLimit("a feed position that nobody reaches")
        }
    }
}
