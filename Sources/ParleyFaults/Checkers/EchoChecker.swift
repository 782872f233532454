import ParleyCore

/// An envelope is never sent back on the link that it came on, unless it is asked for.
package struct EchoChecker: Checker {
    package static let promise = Promise("nothing goes back where it came from")
    package static let watches: WorldEvent.Kinds = [.received, .sent, .processes, .links]

    private var parsers: [LinkEnd: FrameParser] = [:]
    /// What came to each node, and on which links.
    private var arrivals: [Int: Arrivals] = [:]
    /// Sessions of which something came to each node in this moment: what is a head may have ceased
    /// to be one before this turn is over.
    private var changing: [Int: (time: Moment, tags: Set<Bytes16>)] = [:]
    /// When a peer asked for something last.
    private var asked: [LinkEnd: Moment] = [:]
    /// How long it may take to answer a want, while the peer gets the envelope from elsewhere: a
    /// link may stand still for so long and live.
    private static let answerTime = Interval.seconds(20)
    /// Nodes that had more links at a time than a head remembers.
    private var crowded: Set<Int> = []

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .received(let link, let bytes)):
            if world.nodes[node].machine?.links.count ?? 0 > 8 { crowded.insert(node) }
            take(bytes, LinkEnd(node: node, link: link), world)
        case .sent(let node, let peer, let link, let bytes):
            guard let known = arrivals[node], known.areSome(on: link),
                !world.nodes[node].isByzantine,
                !world.nodes[peer].isByzantine, !crowded.contains(node)
            else { return }
            for frame in SentFrames(bytes) where frame.type == FrameType.envelope.rawValue {
                guard let name = Self.name(frame), known.links(of: name).contains(link) else {
                    continue
                }
                let names = "\(world.nodes[node].name) sends \(world.nodes[peer].name)"
                let what = "\(names) an envelope back that came from there"
                world.fail(Self.promise, by: [node, peer], what)
            }
        case .ended(let node, _):
            crowded.remove(node)
            parsers = parsers.filter { $0.key.node != node }
            asked = asked.filter { $0.key.node != node }
            arrivals[node] = nil
        case .input(let node, .linkClosed(let link, _)):
            let end = LinkEnd(node: node, link: link)
            parsers[end] = nil
            asked[end] = nil
            arrivals[node]?.forget(link)
        default: break
        }
    }

    private mutating func take(_ bytes: Slice, _ end: LinkEnd, _ world: World) {
        parsers[end, default: FrameParser()].append(bytes)
        // What the node refuses ends the link there.
        while let frame = try? parsers[end]?.next(frameBytesMax: Limits.frameBytes) {
            if frame.type == FrameType.envelope.rawValue, let name = Self.name(frame) {
                forget(name, frame, besides: end, world)
                // It may be an answer that is on its way already.
                if let last = asked[end], world.now < last + Self.answerTime { continue }
                arrivals[end.node, default: Arrivals()].add(name, on: end.link)
            } else if frame.type == FrameType.want.rawValue {
                // What it asks for it dropped.
                asked[end] = world.now
                arrivals[end.node]?.forget(end.link)
            }
        }
    }

    /// What came on another link, and was dropped since, is news now that it comes again.
    private mutating func forget(
        _ name: UInt64,
        _ frame: RawFrame,
        besides end: LinkEnd,
        _ world: World
    ) {
        let isChanging = isChanging(frame, at: end.node, world.now)
        let links = arrivals[end.node]?.links(of: name) ?? []
        guard links.contains(where: { $0 != end.link }),
            isChanging || !isHead(frame, at: end.node, world)
        else { return }
        arrivals[end.node]?.forget(name, besides: end.link)
    }

    /// Whether something of its session came in this moment already.
    private mutating func isChanging(_ frame: RawFrame, at node: Int, _ now: Moment) -> Bool {
        let offset = EnvelopeFrame.prefixBytes + 2
        guard frame.body.count >= offset + 16 else { return false }
        let tag = Bytes16(reading: frame.body, at: offset)
        if changing[node]?.time != now { changing[node] = (now, []) }
        return changing[node]?.tags.insert(tag).inserted == false
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

    /// A hash of session and dot, from the beginning, and of a part of the proof, from the end.
    private static func name(_ frame: RawFrame) -> UInt64? {
        let start = EnvelopeFrame.prefixBytes + 16
        let end = frame.body.count - Bytes32.count
        guard end >= start else { return nil }
        var hash = TraceHash()
        for offset in [start, end] {
            let words = Bytes32(reading: frame.body, at: offset).words
            hash.add(words.0)
            hash.add(words.1)
            hash.add(words.2)
            hash.add(words.3)
        }
        return hash.value
    }
}

/// The links on which envelopes came to a node, by their names.
private struct Arrivals {
    private struct Arrival {
        let link: LinkID
        let round: Int
    }

    private var arrivals: [UInt64: [Arrival]] = [:]
    /// How often each link was forgotten, for links with arrivals.
    private var rounds: [LinkID: Int] = [:]
    private var present: Set<LinkID> = []

    /// Whether any came on a link, as far as it is remembered.
    func areSome(on link: LinkID) -> Bool { present.contains(link) }

    func links(of name: UInt64) -> [LinkID] {
        guard let found = arrivals[name] else { return [] }
        return found.filter { rounds[$0.link] == $0.round }.map(\.link)
    }

    mutating func add(_ name: UInt64, on link: LinkID) {
        let round = rounds[link, default: 0]
        rounds[link] = round
        present.insert(link)
        guard !links(of: name).contains(link) else { return }
        arrivals[name, default: []].append(Arrival(link: link, round: round))
    }

    /// Forgets all that came on a link.
    mutating func forget(_ link: LinkID) {
        guard present.remove(link) != nil else { return }
        rounds[link, default: 0] += 1
    }

    /// Forgets that something came, but for one link.
    mutating func forget(_ name: UInt64, besides link: LinkID) {
        arrivals[name]?.removeAll { $0.link != link }
    }
}
