package import ParleyCore

/// The identifier of a connection within its transport; never reused.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package let number: UInt64

    init(number: UInt64) { self.number = number }

    /// The connection of a link, which has the same number.
    package init(_ link: LinkID) { number = link.value }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.number < right.number
    }
}

/// The identifier of a dial within its transport; never reused.
package struct TransportDialID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }

    package static func < (left: TransportDialID, right: TransportDialID) -> Bool {
        left.number < right.number
    }
}
