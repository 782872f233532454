extension Stored: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        position = try map.field(3) { $0.position }
        isFull = try map.flag(5) { $0.isFull }
    }
}

extension FeedRequest: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        since = FeedCursor(
            incarnation: try map.field(3) { $0.since.incarnation },
            position: try map.field(5) { $0.since.position }
        )
        ownIncarnation = try map.field(7) { $0.ownIncarnation }
        ownPosition = try map.field(9) { $0.ownPosition }
    }
}

extension Audit: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        conversation = try map.field(1) { $0.conversation }
        ownPosition = try map.field(3) { $0.ownPosition }
        peerPosition = try map.field(5) { $0.peerPosition }
        sums = try map.packed(7, count: Self.buckets...Self.buckets) { $0.sums }
    }
}
