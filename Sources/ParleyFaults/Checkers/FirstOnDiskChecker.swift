import ParleyCore

/// A message is on its author's disk before it is sent to any peer.
///
/// So no peer has a message that a crash takes away. Otherwise a later message of the same origin
/// would seem to dominate the lost one.
package struct FirstOnDiskChecker: Checker {
    package static let promise = Promise("on the author's disk first")
    package static let watches: WorldEvent.Kinds = .sent

    private let ledger: Ledger

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        guard case .sent(let node, let peer, _, let bytes) = event, !world.nodes[node].isByzantine,
            // Peers may still spread from memory a row that was lost on disk.
            !ledger.damaged.contains(node), ledger.copied.isEmpty
        else { return }
        for frame in SentFrames(bytes) where frame.type == FrameType.envelope.rawValue {
            guard let sent = try? EnvelopeFrame(decoding: frame.body), sent.hops == 0,
                let envelope = try? Envelope(decoding: sent.envelope),
                !isOnDisk(envelope.header, at: node)
            else { continue }
            let names = "\(world.nodes[node].name) sends \(world.nodes[peer].name)"
            let what = "\(names) \(world.word(envelope.header.dot)) before it has it on disk"
            world.fail(Self.promise, by: [node, peer], what)
        }
    }

    private func isOnDisk(_ header: EnvelopeHeader, at node: Int) -> Bool {
        ledger.copies[node].numbers.values.contains { conversation in
            ledger.isOnDisk(header.dot, of: header.tag, in: conversation, at: node)
        }
    }
}
