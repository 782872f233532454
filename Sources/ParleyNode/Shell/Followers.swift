/// The listeners to the events of the node.
package struct Followers {
    private var lastID: UInt64 = 0
    private var streams: [UInt64: AsyncStream<NodeEvent>.Continuation] = [:]
    /// The events of this step that listeners have not got yet; nil outside of a step.
    private var gathered: [NodeEvent]?

    /// The events that may wait for one listener; the stream of a slower listener ends.
    static let backlog = 16_384
    /// The most events of a step that are emitted together.
    private static let together = 256

    package init() {}

    package var isEmpty: Bool { streams.isEmpty }

    package mutating func add(_ continuation: AsyncStream<NodeEvent>.Continuation) -> UInt64 {
        lastID += 1
        streams[lastID] = continuation
        return lastID
    }

    package mutating func remove(_ id: UInt64) {
        streams[id] = nil
    }

    /// Gathers events until `emitGathered`, since each single event would wake the listeners.
    package mutating func gather() { gathered = gathered ?? [] }

    /// Emits the gathered events; later ones are emitted at once.
    package mutating func emitGathered() {
        let events = gathered ?? []
        gathered = nil
        for event in events { emitNow(event) }
    }

    package mutating func emit(_ event: NodeEvent) {
        guard gathered != nil else { return emitNow(event) }
        gathered?.append(event)
        guard gathered?.count == Self.together else { return }
        emitGathered()
        gather()
    }

    private mutating func emitNow(_ event: NodeEvent) {
        for (id, stream) in streams {
            guard case .dropped = stream.yield(event) else { continue }
            stream.finish()
            streams[id] = nil
        }
    }

    /// Ends the streams of all listeners, after what was gathered.
    package mutating func finish() {
        emitGathered()
        for stream in streams.values { stream.finish() }
        streams = [:]
    }
}
