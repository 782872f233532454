import ParleyCore

/// An envelope from before a link is announced there, not pushed, and wanted from one holder.
///
/// So a process receives an envelope at most once for each live push and each want. Without faults
/// there is one want. With faults there is another want only
///
/// - after a holder was silent for a second (here half a second, as a clock may be fast), answered
///   "not found", or lost its link,
/// - after a node that keeps little of a conversation left an envelope out,
/// - or after an envelope ended the first want by replacing the wanted envelope, and no head of the
///   node replaces the wanted envelope any more. The reason is a false context, or more heads than
///   a session may have: otherwise the replacement of a replacement replaces the wanted envelope
///   too. Then the node lacks the envelope again, and asks the next peer that announces it.
package struct CatchUpChecker: Checker {
    package static let promise = Promise("catching up brings each envelope from one holder")
    package static let watches: WorldEvent.Kinds = [
        .received, .sent, .answered, .processes, .links, .membership,
    ]

    /// The latest position of each node's feed as named on a link, by number of the conversation.
    private var replayEnds: [LinkEnd: [UInt32: UInt64]] = [:]
    /// The holder that each node asked last for each missing envelope, by session.
    private var asked: [Int: [SessionTag: [EnvelopeName: Asked]]] = [:]
    private var parsers: [LinkEnd: FrameParser] = [:]
    /// When bytes last arrived, and when they last arrived after a silence.
    private var heard: [LinkEnd: (last: Moment, afterSilence: Moment?)] = [:]

    private struct Asked {
        let revision: UInt64
        let link: LinkID
        let time: Moment
        /// Whether a replacing envelope arrived since, which ended the want.
        var isReplaced = false
    }

    /// Less than the shortest time after which a node asks another holder.
    private static let patience = Interval.milliseconds(450)

    package init() {}

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .input(let node, .received(let link, let bytes)):
            hear(on: LinkEnd(node: node, link: link), at: world.now)
            take(bytes, LinkEnd(node: node, link: link))
        case .sent(let node, let peer, let link, let bytes):
            guard !world.nodes[node].isByzantine else { return }
            sent(bytes, LinkEnd(node: node, link: link), peer, world)
        case .answered(let node, let effects):
            for close in effects.closes { closed(LinkEnd(node: node, link: close.link)) }
        case .input(let node, .linkClosed(let link, _)):
            closed(LinkEnd(node: node, link: link))
        case .left(let node, _): asked[node] = nil
        case .ended(let node, _):
            asked[node] = nil
            replayEnds = replayEnds.filter { $0.key.node != node }
            parsers = parsers.filter { $0.key.node != node }
            heard = heard.filter { $0.key.node != node }
        default: break
        }
    }

    private mutating func closed(_ end: LinkEnd) {
        replayEnds[end] = nil
        parsers[end] = nil
        heard[end] = nil
        guard let sessions = asked[end.node] else { return }
        asked[end.node] = sessions.compactMapValues { wants in
            let others = wants.filter { $0.value.link != end.link }
            return others.isEmpty ? nil : others
        }
    }

    // MARK: Sending

    private mutating func sent(_ bytes: Slice, _ end: LinkEnd, _ peer: Int, _ world: World) {
        for frame in SentFrames(bytes) {
            switch FrameType(rawValue: frame.type) {
            case .feed:
                guard case .feed(let request)? = try? Frame(decoding: frame) else { continue }
                replayEnds[end, default: [:]][request.conversation] = request.ownPosition
            case .envelope: checkPush(frame, on: end, to: peer, world)
            case .want: checkWants(frame, on: end, of: peer, world)
            default: break
            }
        }
    }

    private func checkPush(_ frame: RawFrame, on end: LinkEnd, to peer: Int, _ world: World) {
        guard let push = try? EnvelopeFrame(decoding: frame.body), push.position > 0,
            push.position <= replayEnds[end]?[push.conversation] ?? 0
        else { return }
        let names = "\(world.nodes[end.node].name) pushes \(world.nodes[peer].name)"
        let what = "\(names) an envelope from before the link, at position \(push.position)"
        world.fail(Self.promise, by: [end.node, peer], what)
    }

    private mutating func checkWants(
        _ frame: RawFrame,
        on end: LinkEnd,
        of peer: Int,
        _ world: World
    ) {
        guard case .want(let list)? = try? Frame(decoding: frame) else { return }
        for entry in list.entries {
            let before = asked[end.node]?[entry.tag]?[entry.name]
            if let before, before.link != end.link, world.now < before.time + Self.patience,
                !mayForget(end.node, world),
                !before.isReplaced || hasReplacement(of: entry, end.node, world)
            {
                let names = "\(world.nodes[end.node].name) asks \(world.nodes[peer].name)"
                let since = (world.now - before.time).milliseconds
                let what = "\(names) for an envelope \(since) ms after it asked another node"
                world.fail(Self.promise, by: [end.node, peer], what)
            }
            // A want that waited while the link was silent is older than it looks.
            let isNew = heard[end]?.afterSilence != world.now
            let want = Asked(revision: entry.revision, link: end.link, time: world.now)
            change(entry.tag, at: end.node) { $0[entry.name] = isNew ? want : nil }
        }
    }

    /// Changes the wants of a node in a session.
    private mutating func change(
        _ tag: SessionTag,
        at node: Int,
        _ body: (inout [EnvelopeName: Asked]) -> Void
    ) {
        var wants = asked[node]?[tag] ?? [:]
        body(&wants)
        asked[node, default: [:]][tag] = wants.isEmpty ? nil : wants
    }

    /// Whether a head of a node replaces the envelope of an entry, so that the node ignores the
    /// entry.
    private func hasReplacement(of entry: HaveEntry, _ node: Int, _ world: World) -> Bool {
        guard let conversations = world.nodes[node].machine?.conversations else { return false }
        return conversations.contains { conversation in
            let heads = conversation.session(entry.tag)?.register.heads ?? Few()
            return heads.contains {
                $0.revision > entry.revision && $0.hasInContext(entry.dot)
            }
        }
    }

    /// Whether a node may forget its wants, as it keeps little of a conversation.
    private func mayForget(_ node: Int, _ world: World) -> Bool {
        (world.nodes[node].limits ?? world.settings.limits).keepsLittle
    }

    // MARK: Receiving

    private mutating func hear(on end: LinkEnd, at now: Moment) {
        let before = heard[end]
        let wasSilent = before.map { now >= $0.last + Self.patience } ?? false
        heard[end] = (now, wasSilent ? now : before?.afterSilence)
    }

    private mutating func take(_ bytes: Slice, _ end: LinkEnd) {
        for frame in parsers[end, default: FrameParser()].frames(with: bytes)
        where asked[end.node]?.isEmpty == false {
            switch FrameType(rawValue: frame.type) {
            case .envelope: takeEnvelope(frame, end)
            case .have: takeNotFound(frame, end)
            default: break
            }
        }
    }

    private mutating func takeEnvelope(_ frame: RawFrame, _ end: LinkEnd) {
        guard let body = try? EnvelopeFrame(decoding: frame.body),
            let envelope = try? Envelope(decoding: body.envelope)
        else { return }
        let header = envelope.header
        guard asked[end.node]?[header.tag] != nil else { return }
        change(header.tag, at: end.node) { wants in
            wants = wants.filter { $0.key.dot != header.dot }
            for (name, want) in wants
            where want.revision < header.revision && header.hasInContext(name.dot) {
                wants[name]?.isReplaced = true
            }
        }
    }

    /// The answer may be to an earlier want for the same envelope: it says as well that another
    /// holder has to be asked.
    private mutating func takeNotFound(_ frame: RawFrame, _ end: LinkEnd) {
        guard case .have(let list)? = try? Frame(decoding: frame) else { return }
        for entry in list.entries where entry.dot.sequence > 0 && entry.revision == 0 {
            guard asked[end.node]?[entry.tag]?[entry.name]?.link == end.link else { continue }
            change(entry.tag, at: end.node) { $0[entry.name] = nil }
        }
    }
}
