import ParleyCore

/// An envelope is never sent back on the link that it came on, unless it is asked for.
package struct EchoChecker: Checker {
    package static let promise = Promise("nothing goes back where it came from")

    private var parsers: [LinkEnd: FrameParser] = [:]
    /// What came on each link of a node.
    private var arrived: [Int: [LinkID: Set<Bytes32>]] = [:]
    /// Nodes that had more links at a time than a head remembers.
    private var crowded: Set<Int> = []

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .received(let link, let bytes)):
            if world.nodes[node].machine?.links.count ?? 0 > 8 { crowded.insert(node) }
            take(bytes, LinkEnd(node: node, link: link), world)
        case .sent(let node, let peer, let link, let bytes):
            guard let known = arrived[node]?[link], !known.isEmpty, !world.nodes[node].isLiar,
                !world.nodes[peer].isLiar, !crowded.contains(node)
            else { return }
            for frame in SentFrames(bytes) where frame.type == FrameType.envelope.rawValue {
                guard let name = Self.name(frame), known.contains(name) else { continue }
                let names = "\(world.nodes[node].name) sends \(world.nodes[peer].name)"
                let what = "\(names) an envelope back that came from there"
                world.fail(Self.promise, by: [node, peer], what)
            }
        case .ended(let node, _):
            crowded.remove(node)
            parsers = parsers.filter { $0.key.node != node }
            arrived[node] = nil
        case .input(let node, .linkClosed(let link, _)):
            parsers[LinkEnd(node: node, link: link)] = nil
            arrived[node]?[link] = nil
        default: break
        }
    }

    private mutating func take(_ bytes: Slice, _ end: LinkEnd, _ world: World) {
        parsers[end, default: FrameParser()].append(bytes)
        // What the node refuses ends the link there.
        while let frame = try? parsers[end]?.next(frameBytesMax: Limits.frameBytes) {
            if frame.type == FrameType.envelope.rawValue, let name = Self.name(frame) {
                forget(name, frame, besides: end, world)
                arrived[end.node, default: [:]][end.link, default: []].insert(name)
            } else if frame.type == FrameType.want.rawValue {
                // What it asks for it dropped.
                arrived[end.node]?[end.link] = []
            }
        }
    }

    /// What came on another link, and was dropped since, is news now that it comes again.
    private mutating func forget(
        _ name: Bytes32,
        _ frame: RawFrame,
        besides end: LinkEnd,
        _ world: World
    ) {
        guard let links = arrived[end.node] else { return }
        let others = links.keys.filter { $0 != end.link && links[$0]?.contains(name) ?? false }
        guard !others.isEmpty, !isHead(frame, at: end.node, world) else { return }
        for other in others { arrived[end.node]?[other]?.remove(name) }
    }

    private func isHead(_ frame: RawFrame, at node: Int, _ world: World) -> Bool {
        guard let machine = world.nodes[node].machine,
            let bytes = (try? EnvelopeFrame(decoding: frame.body))?.envelope,
            let envelope = try? Envelope(decoding: bytes)
        else { return false }
        return machine.conversations.contains { conversation in
            let heads = conversation.session(envelope.header.tag)?.register.heads ?? []
            let head = envelope.head(in: conversation.record.id, using: machine.crypto)
            return heads.contains { $0.dot == head.dot && $0.digest == head.digest }
        }
    }

    /// Session and dot from the beginning, and a part of the proof from the end.
    private static func name(_ frame: RawFrame) -> Bytes32? {
        let start = EnvelopeFrame.prefixBytes + 16
        let end = frame.body.count - Bytes32.count
        guard end >= start else { return nil }
        let first = Bytes32(reading: frame.body, at: start).words
        let last = Bytes32(reading: frame.body, at: end).words
        return Bytes32(first.0, first.1 ^ last.0, first.2 ^ last.1, first.3 ^ last.2)
    }
}
