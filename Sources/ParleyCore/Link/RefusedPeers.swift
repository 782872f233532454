/// The members whose links ended because they broke the protocol, and how long each has to wait.
///
/// Otherwise a faulty or lying peer would be back at once, and cost the same again. Strangers are
/// not remembered here, as each can be a new device; their addresses wait (`SourcePauses`).
package struct RefusedPeers: Sendable {
    private struct Peer: Sendable {
        let device: DeviceID
        var pause: Interval
        var until: Moment
    }

    /// The first pause; each further one is twice as long, up to the longest.
    package static let first = Interval.seconds(1)
    package static let longest = Interval.seconds(60)
    /// How long after its pause a peer is remembered.
    package static let memory = Interval.seconds(600)
    private static let countMax = 256

    private var peers: [Peer] = []

    package init() {}

    /// A member was refused; at the limit, the earliest refusal is forgotten.
    package mutating func insert(_ device: DeviceID, at now: Moment) {
        peers.removeAll { $0.until + Self.memory <= now }
        let before = peers.first { $0.device == device }?.pause
        peers.removeAll { $0.device == device }
        if peers.count == Self.countMax { peers.removeFirst() }
        let pause = min(before.map { $0 * 2 } ?? Self.first, Self.longest)
        peers.append(Peer(device: device, pause: pause, until: now + pause))
    }

    /// The end of the pause of a device; nil if it has none now.
    package func pause(of device: DeviceID, at now: Moment) -> Moment? {
        peers.first { $0.device == device && now < $0.until }?.until
    }
}
