/// The changes that one process numbered, from `start` + 1 to the start of the next incarnation.
package struct FeedIncarnation: Sendable, Hashable {
    /// A random number, new with every process.
    package let id: UInt64
    package let start: UInt64

    package init(id: UInt64, start: UInt64) {
        self.id = id
        self.start = start
    }
}
