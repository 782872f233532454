import ParleyCore

/// Once everybody agrees and nobody writes, nothing is sent but heartbeats and audits; and at no
/// time does an envelope go back on the link that it came on.
package struct QuietChecker: Checker {
    package static let promise = Promise("an idle mesh is silent")
    package static let watches: WorldEvent.Kinds = [
        .ending, .links, .faults, .membership, .authored, .sent,
    ]

    private let ledger: Ledger
    private var quietFrom: Moment?
    private var areAllPicturesHere = false

    package init(_ ledger: Ledger) { self.ledger = ledger }

    /// What may still be said after everybody agrees: positions, and whose envelopes are known.
    private static let grace = Interval.seconds(4)
    private static let blobs: [FrameType] = [.blobWant, .blobChunk]
    private static let heartbeats: [FrameType] = [
        .ping, .pong, .audit, .hello, .goodbye, .conversations,
    ]

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .converged:
            quietFrom = world.now + Self.grace
            areAllPicturesHere = world.picturesLacking.isEmpty
        case .input(_, .linkOpened), .input(_, .linkClosed):
            // They come to an agreement again.
            if quietFrom != nil { quietFrom = world.now + Self.grace }
        case .fault, .joined, .left, .input(_, .authored): quietFrom = nil
        case .sent(let node, let peer, _, let bytes):
            guard let from = quietFrom, ledger.damaged.isEmpty else { return }
            guard !world.nodes[node].isByzantine, !world.nodes[peer].isByzantine else { return }
            for frame in SentFrames(bytes) where isNews(frame) {
                // The one of two envelopes under a dot that nobody keeps is asked for again and
                // again, less and less often; what is said of it then is no news either.
                guard !isOfByzantineSession(frame) else {
                    quietFrom = world.now + Self.grace
                    return
                }
                guard world.now >= from else { continue }
                world.fail(
                    Self.promise,
                    by: [node, peer],
                    "\(world.nodes[node].name) sends \(world.nodes[peer].name) a frame of type "
                        + "\(frame.type), and nothing has happened"
                )
                return
            }
        default: break
        }
    }

    private func isNews(_ frame: RawFrame) -> Bool {
        // Of a later version, and passed over.
        guard let type = FrameType(rawValue: frame.type) else { return false }
        // A picture that nobody has any more, or of whose size a liar lied, is asked for again and
        // again, less and less often.
        if Self.blobs.contains(type) { return areAllPicturesHere && !ledger.hasLost }
        return !Self.heartbeats.contains(type)
    }

    private func isOfByzantineSession(_ frame: RawFrame) -> Bool {
        guard case .want(let list)? = try? Frame(decoding: frame) else { return false }
        return list.entries.allSatisfy { ledger.byzantineSessions.contains($0.tag) }
    }
}
