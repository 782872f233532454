import ParleyCore

/// A peer that shares no conversation with a node learns and changes nothing.
///
/// The peer receives only the hello, proofs without meaning for it, pings, answers to its knocks
/// and a goodbye, and the disk of the node does not change. `KnockChecker` judges who is let in.
package struct StrangerChecker: Checker {
    package static let promise = Promise("strangers learn and change nothing")
    package static let watches: WorldEvent.Kinds = [
        .membership, .links, .processes, .answered, .intrusions,
    ]

    private let ledger: Ledger
    /// All conversations that ever had the device as a member.
    private var memberships: [DeviceID: Set<ConversationID>] = [:]
    private var peers: [LinkEnd: DeviceID] = [:]

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .joined(let node, let conversation, _):
            memberships[world.nodes[node].device, default: []].insert(conversation)
        case .input(let node, .linkOpened(let opened)):
            let peer = DeviceID(publicKey: opened.peerKey, using: world.nodes[node].crypto)
            peers[LinkEnd(node: node, link: opened.id)] = peer
        case .input(let node, .linkClosed(let link, _)):
            peers[LinkEnd(node: node, link: link)] = nil
        case .started(let node): peers = peers.filter { $0.key.node != node }
        case .answered(let node, let effects) where !world.nodes[node].isByzantine:
            for send in effects.sends where isStranger(LinkEnd(node: node, link: send.link), world)
            {
                look(at: send.bytes, from: node, world)
            }
            for case .deviceName(let device, _) in effects.persist?.writes ?? []
            where !shares(device, with: node, world) {
                fail("keeps the name of a stranger", by: node, world)
            }
        case .intruded(let device, let conversations):
            memberships[device, default: []].formUnion(conversations)
        default: break
        }
    }

    private func isStranger(_ end: LinkEnd, _ world: World) -> Bool {
        guard let peer = peers[end], peer != world.nodes[end.node].device else { return false }
        return !shares(peer, with: end.node, world)
    }

    private func shares(_ peer: DeviceID, with node: Int, _ world: World) -> Bool {
        let own = memberships[world.nodes[node].device, default: []]
        return !memberships[peer, default: []].isDisjoint(with: own)
    }

    private static let harmless: [FrameType] = [
        .hello, .goodbye, .conversations, .ping, .pong, .knock,
    ]

    private func look(at bytes: [UInt8], from node: Int, _ world: World) {
        for frame in SentFrames(Slice(bytes)) {
            guard Self.harmless.contains(where: { $0.rawValue == frame.type }) else {
                fail("sends a frame of type \(frame.type) to a stranger", by: node, world)
                return
            }
        }
        let secrets = ledger.copies[node].numbers.values
        for secret in secrets where bytes.contains(secret.value.prefix16) {
            fail("names a conversation to a stranger", by: node, world)
        }
    }

    private func fail(_ what: String, by node: Int, _ world: World) {
        world.fail(Self.promise, by: [node], "\(world.nodes[node].name) \(what)")
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: Bytes16) -> Bool {
        let bytes = span.bytes
        let first = part.words.0.bigEndian
        let second = part.words.1.bigEndian
        var offset = 0
        while offset + 16 <= bytes.byteCount {
            if bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) == first,
                bytes.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) == second
            {
                return true
            }
            offset += 1
        }
        return false
    }
}
