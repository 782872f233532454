/// The events of a node, in order, for one listener.
///
/// The events of a step wait in a group, so that a listener is woken once for all of them.
public struct NodeEvents: AsyncSequence, Sendable {
    package typealias Continuation = AsyncStream<[NodeEvent]>.Continuation

    /// The events that may wait for one listener; the stream of a slower listener ends.
    package static let backlog = 16_384

    private let groups: AsyncStream<[NodeEvent]>

    /// Makes the events of one listener, and what puts them there.
    package static func make() -> (events: NodeEvents, Continuation) {
        let (groups, continuation) = AsyncStream.makeStream(
            of: [NodeEvent].self,
            bufferingPolicy: .bufferingOldest(backlog)
        )
        return (NodeEvents(groups: groups), continuation)
    }

    /// The events of a node that does not run: none.
    static var none: NodeEvents {
        let (events, continuation) = make()
        continuation.finish()
        return events
    }

    /// The events from the first that waits.
    public func makeAsyncIterator() -> Iterator {
        Iterator(groups: groups.makeAsyncIterator())
    }

    /// The place of a listener among the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var groups: AsyncStream<[NodeEvent]>.Iterator
        private var group: ArraySlice<NodeEvent> = []

        fileprivate init(groups: AsyncStream<[NodeEvent]>.Iterator) {
            self.groups = groups
        }

        /// The next event; nil once the node has stopped, the listener was too slow, or its task
        /// is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> NodeEvent? {
            while group.isEmpty {
                guard let next = await groups.next(isolation: actor) else { return nil }
                group = next[...]
            }
            return group.removeFirst()
        }
    }
}
