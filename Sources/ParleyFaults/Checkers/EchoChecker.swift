import ParleyCore

/// No envelope goes back on the link on which it arrived, except for a want of the peer.
///
/// Four things are not exact:
///
/// - A node that once had more links than a head records (`HeadRecord.knownToMax`) is not judged
///   until its process ends. A head of such a node forgets some holders, and may be announced or
///   pushed once too often. The core chooses which links to forget, and no promise names them.
/// - If two envelopes of a session arrive at the same moment, earlier arrivals of the second on
///   other links are forgotten. The first may have replaced the second in the step and been
///   replaced in turn. Then the second is new to the node, and nobody sees the inside of a step.
/// - While the work of a turn leaves frames of a link for the next turn, nothing that the node
///   sends on the link is judged: the envelope may be in an unread frame. A node that ends a link
///   may also leave such frames.
/// - Frames from and to a Byzantine writer are not judged. Such a writer makes no promises, and an
///   honest node may refuse its frames. So an envelope may arrive and not be taken.
package struct EchoChecker: Checker {
    package static let promise = Promise("nothing goes back where it came from")
    package static let watches: WorldEvent.Kinds = [
        .received, .answered, .sent, .processes, .links,
    ]

    private let ledger: Ledger
    private var parsers: [LinkEnd: FrameParser] = [:]
    /// The envelopes that arrived at each node, with their links.
    private var arrivals: [Int: Arrivals] = [:]
    /// The sessions of the envelopes that arrive at each node at this moment.
    ///
    /// A head of such a session may be replaced before the step of the node is over.
    private var changing: [Int: (time: Moment, tags: Set<Bytes16>)] = [:]
    /// The number of unanswered wants of the peer of each link, by the dot of the envelope.
    private var asked: [LinkEnd: [Dot: Int]] = [:]
    /// The nodes that once had more links than a head records.
    private var crowded: Set<Int> = []
    /// The links with frames that have arrived and are not handled yet.
    private var unfinished: Set<LinkEnd> = []

    package init(_ ledger: Ledger) { self.ledger = ledger }

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .received(let link, let bytes)):
            if world.nodes[node].load?.openLinks ?? 0 > HeadRecord.knownToMax {
                crowded.insert(node)
            }
            take(bytes, LinkEnd(node: node, link: link), world)
        case .answered(let node, let effects):
            for work in effects.work {
                let end = LinkEnd(node: node, link: work.link)
                if work.isUnfinished { unfinished.insert(end) } else { unfinished.remove(end) }
            }
            for close in effects.closes {
                unfinished.insert(LinkEnd(node: node, link: close.link))
            }
        case .sent(let node, let peer, let link, let bytes):
            guard !world.nodes[node].isByzantine, !world.nodes[peer].isByzantine else { return }
            sent(bytes, LinkEnd(node: node, link: link), peer, world)
        case .ended(let node, _):
            crowded.remove(node)
            parsers = parsers.filter { $0.key.node != node }
            asked = asked.filter { $0.key.node != node }
            unfinished = unfinished.filter { $0.node != node }
            arrivals[node] = nil
        case .input(let node, .linkClosed(let link, _)):
            let end = LinkEnd(node: node, link: link)
            parsers[end] = nil
            asked[end] = nil
            unfinished.remove(end)
            arrivals[node]?.forget(link)
        default: break
        }
    }

    // MARK: Sending

    private mutating func sent(_ bytes: Slice, _ end: LinkEnd, _ peer: Int, _ world: World) {
        let known = arrivals[end.node]
        let mayEcho = known?.areSome(on: end.link) ?? false
        guard mayEcho || asked[end] != nil else { return }
        for frame in SentFrames(bytes) {
            if frame.type == FrameType.have.rawValue {
                answerNotFound(frame, on: end)
            } else if frame.type == FrameType.envelope.rawValue, !answers(frame, on: end),
                mayEcho, !crowded.contains(end.node), !unfinished.contains(end),
                let name = Self.name(frame),
                known?.links(of: name).contains(end.link) ?? false,
                !isOfFormerMember(frame, world)
            {
                let names = "\(world.nodes[end.node].name) sends \(world.nodes[peer].name)"
                let what = "\(names) an envelope back that came from there"
                world.fail(Self.promise, by: [end.node, peer], what)
            }
        }
    }

    /// Whether the envelope may have been left out, and taken later: then the node has forgotten
    /// who has it.
    private func isOfFormerMember(_ frame: RawFrame, _ world: World) -> Bool {
        let tag = Bytes16(reading: frame.body, at: EnvelopeFrame.prefixBytes + 2)
        return ledger.hasFormerMember(SessionTag(tag), in: Room(world).table.id, world)
    }

    /// Whether an envelope answers a want of the peer: each want may be answered once.
    private mutating func answers(_ frame: RawFrame, on end: LinkEnd) -> Bool {
        guard asked[end] != nil,
            let sent = try? EnvelopeFrame(decoding: frame.body),
            let envelope = try? Envelope(decoding: sent.envelope)
        else { return false }
        return settle(envelope.header.dot, on: end)
    }

    /// Settles the wants of the peer that the node answers with "not found".
    private mutating func answerNotFound(_ frame: RawFrame, on end: LinkEnd) {
        guard asked[end] != nil, case .have(let list)? = try? Frame(decoding: frame) else { return }
        for entry in list.entries where entry.dot.sequence > 0 && entry.revision == 0 {
            _ = settle(entry.dot, on: end)
        }
    }

    /// Counts a want as answered; tells whether there was one.
    private mutating func settle(_ dot: Dot, on end: LinkEnd) -> Bool {
        guard let count = asked[end]?[dot] else { return false }
        asked[end]?[dot] = count > 1 ? count - 1 : nil
        if asked[end]?.isEmpty ?? false { asked[end] = nil }
        return true
    }

    // MARK: Receiving

    private mutating func take(_ bytes: Slice, _ end: LinkEnd, _ world: World) {
        for frame in parsers[end, default: FrameParser()].frames(with: bytes) {
            if frame.type == FrameType.envelope.rawValue, let name = Self.name(frame) {
                forget(name, frame, besides: end, world)
                arrivals[end.node, default: Arrivals()].add(name, on: end.link)
            } else if frame.type == FrameType.want.rawValue,
                case .want(let list)? = try? Frame(decoding: frame)
            {
                for entry in list.entries { asked[end, default: [:]][entry.dot, default: 0] += 1 }
            }
        }
    }

    /// Forgets arrivals on other links of a dropped envelope, which is new when it comes again.
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

    /// Whether another envelope of its session arrived at this moment.
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

    /// A hash of the session and the dot, at the beginning, and of a part of the proof, at the end.
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

/// The links on which envelopes arrived at a node, by the names of the envelopes.
private struct Arrivals {
    private struct Arrival {
        let link: LinkID
        let round: Int
    }

    private var arrivals: [UInt64: [Arrival]] = [:]
    /// The number of times that each link with arrivals was forgotten.
    private var rounds: [LinkID: Int] = [:]
    private var present: Set<LinkID> = []

    /// Whether any remembered envelope arrived on a link.
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

    /// Forgets all arrivals on a link.
    mutating func forget(_ link: LinkID) {
        guard present.remove(link) != nil else { return }
        rounds[link, default: 0] += 1
    }

    /// Forgets the arrivals of an envelope, except on one link.
    mutating func forget(_ name: UInt64, besides link: LinkID) {
        arrivals[name]?.removeAll { $0.link != link }
    }
}
