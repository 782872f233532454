/// The time that a node reads from its machine, in seconds.
package struct NodeClock: Sendable, Equatable {
    /// The wall clock, since 1970; people and programs may set it.
    package let wall: UInt64
    /// How long the machine has run, sleep included, since some moment before the node's start.
    package let running: UInt64

    package init(wall: UInt64, running: UInt64) {
        self.wall = wall
        self.running = running
    }
}
