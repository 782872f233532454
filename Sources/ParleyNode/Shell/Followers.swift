/// The listeners to the events of the node.
struct Followers {
    private var lastID: UInt64 = 0
    private var streams: [UInt64: AsyncStream<NodeEvent>.Continuation] = [:]

    /// The events that may wait for one listener; the stream of a slower one ends.
    static let backlog = 16_384

    var isEmpty: Bool { streams.isEmpty }

    mutating func add(_ continuation: AsyncStream<NodeEvent>.Continuation) -> UInt64 {
        lastID += 1
        streams[lastID] = continuation
        return lastID
    }

    mutating func remove(_ id: UInt64) {
        streams[id] = nil
    }

    mutating func tell(_ event: NodeEvent) {
        for (id, stream) in streams {
            guard case .dropped = stream.yield(event) else { continue }
            stream.finish()
            streams[id] = nil
        }
    }

    mutating func finish() {
        for stream in streams.values { stream.finish() }
        streams = [:]
    }
}
