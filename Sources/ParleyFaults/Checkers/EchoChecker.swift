import ParleyCore

/// An envelope is never sent back on the link that it came on, unless it is asked for.
package struct EchoChecker: Checker {
    package static let promise = Promise("nothing goes back where it came from")

    private var parsers: [LinkEnd: FrameParser] = [:]
    /// What came on a link.
    private var arrived: [LinkEnd: Set<Bytes32>] = [:]

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .received(let link, let bytes)):
            take(bytes, LinkEnd(node: node, link: link))
        case .sent(let node, let peer, let link, let bytes):
            let end = LinkEnd(node: node, link: link)
            // With more links, a head does not remember all that have it.
            guard let known = arrived[end], !known.isEmpty, !world.nodes[node].isLiar,
                !world.nodes[peer].isLiar,
                world.nodes[node].machine?.links.count ?? 0 <= 8
            else { return }
            for frame in SentFrames(bytes) where frame.type == FrameType.envelope.rawValue {
                guard let name = Self.name(frame), known.contains(name) else { continue }
                let names = "\(world.nodes[node].name) sends \(world.nodes[peer].name)"
                let what = "\(names) an envelope back that came from there"
                world.fail(Self.promise, by: [node, peer], what)
            }
        case .ended(let node, _):
            parsers = parsers.filter { $0.key.node != node }
            arrived = arrived.filter { $0.key.node != node }
        case .input(let node, .linkClosed(let link, _)):
            parsers[LinkEnd(node: node, link: link)] = nil
            arrived[LinkEnd(node: node, link: link)] = nil
        default: break
        }
    }

    private mutating func take(_ bytes: Slice, _ end: LinkEnd) {
        parsers[end, default: FrameParser()].append(bytes)
        // What the node refuses ends the link there.
        while let frame = try? parsers[end]?.next(frameBytesMax: Limits.frameBytes) {
            if frame.type == FrameType.envelope.rawValue, let name = Self.name(frame) {
                arrived[end, default: []].insert(name)
            } else if frame.type == FrameType.want.rawValue {
                // What it asks for it dropped.
                arrived[end] = []
            }
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
