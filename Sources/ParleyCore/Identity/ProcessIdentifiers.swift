/// The number of a connection, given by the shell, later ones higher, never used twice.
package struct LinkID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (left: LinkID, right: LinkID) -> Bool { left.value < right.value }
}

/// The number of a dial, given by the core.
package struct DialID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (left: DialID, right: DialID) -> Bool { left.value < right.value }
}

/// The number of a commit; they finish in order.
package struct Ticket: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (left: Ticket, right: Ticket) -> Bool { left.value < right.value }
}

/// The number of a request of a person or program, given by the shell.
package struct RequestID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}
