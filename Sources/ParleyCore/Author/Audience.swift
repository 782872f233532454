/// Counts the nodes that have stored a message, for requests that follow the delivery.
package struct Audience: Sendable {
    private struct Wait {
        let request: RequestID
        let conversation: UInt32
        /// The feed position of the message on this node.
        let position: UInt64
        var devices: [DeviceID] = []
    }

    private var waits: [Wait] = []

    /// The number of messages followed at a time; a new message replaces the oldest.
    package static let followedMax = 4_096

    package init() {}

    /// A request follows the delivery of the message at a feed position.
    package mutating func follow(_ request: RequestID, conversation: UInt32, position: UInt64) {
        if waits.count == Self.followedMax { waits.removeFirst() }
        waits.append(Wait(request: request, conversation: conversation, position: position))
    }

    /// `device` has our feed of `conversation` on disk up to `position`.
    package mutating func stored(
        _ conversation: UInt32,
        upTo position: UInt64,
        by device: DeviceID
    ) -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in waits.indices {
            guard waits[index].conversation == conversation, waits[index].position <= position,
                !waits[index].devices.contains(device)
            else { continue }
            waits[index].devices.append(device)
            deliveries.append(
                .delivered(waits[index].request, nodes: waits[index].devices.count)
            )
        }
        return deliveries
    }

    /// Nobody follows the delivery of the request any more.
    package mutating func forget(_ request: RequestID) {
        waits.removeAll { $0.request == request }
    }
}
