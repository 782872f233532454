/// The listeners to the events of the node.
package struct Followers {
    /// A listener, and what it has not taken yet.
    private struct Follower {
        let stream: NodeEvents.Continuation
        /// The sizes of the groups of events in the stream, the oldest first.
        var sizes: [Int] = []
        var waiting = 0

        /// Adds events, and returns whether the listener keeps up.
        mutating func add(_ events: [NodeEvent]) -> Bool {
            guard case .enqueued(let room) = stream.yield(events) else { return false }
            sizes.append(events.count)
            waiting += events.count
            let taken = sizes.count - (NodeEvents.backlog - room)
            waiting -= sizes[..<taken].reduce(0, +)
            sizes.removeFirst(taken)
            return waiting <= NodeEvents.backlog
        }
    }

    private var lastID: UInt64 = 0
    private var followers: [UInt64: Follower] = [:]
    /// The events of this step that listeners have not got yet; nil outside of a step.
    private var gathered: [NodeEvent]?
    private var isFinished = false

    /// The most events of a step that are emitted together.
    private static let together = 256

    package init() {}

    package var isEmpty: Bool { followers.isEmpty }

    package mutating func add(_ stream: NodeEvents.Continuation) -> UInt64 {
        lastID += 1
        guard !isFinished else {
            stream.finish()
            return lastID
        }
        followers[lastID] = Follower(stream: stream)
        return lastID
    }

    package mutating func remove(_ id: UInt64) {
        followers[id] = nil
    }

    /// Gathers events until `emitGathered`, since each single event would wake the listeners.
    package mutating func gather() { gathered = gathered ?? [] }

    /// Emits the gathered events; later ones are emitted at once.
    package mutating func emitGathered() {
        let events = gathered ?? []
        gathered = nil
        if !events.isEmpty { emitNow(events) }
    }

    package mutating func emit(_ event: NodeEvent) {
        guard gathered != nil else { return emitNow([event]) }
        gathered?.append(event)
        guard gathered?.count == Self.together else { return }
        emitGathered()
        gather()
    }

    private mutating func emitNow(_ events: [NodeEvent]) {
        for id in Array(followers.keys) where followers[id]?.add(events) == false {
            followers.removeValue(forKey: id)?.stream.finish()
        }
    }

    /// Ends the streams of all listeners, after what was gathered, and those of later ones.
    package mutating func finish() {
        emitGathered()
        isFinished = true
        for follower in followers.values { follower.stream.finish() }
        followers = [:]
    }
}
