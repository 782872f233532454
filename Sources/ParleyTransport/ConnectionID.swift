/// The name of one connection inside one transport; never used again.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.number < right.number
    }
}

/// The name of one dial inside one transport; never used again.
package struct DialID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package static func < (left: DialID, right: DialID) -> Bool {
        left.number < right.number
    }
}
