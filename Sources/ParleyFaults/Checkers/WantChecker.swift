import ParleyCore

/// An envelope that does not come is asked for at growing intervals, also if it does not exist.
package struct WantChecker: Checker {
    package static let promise = Promise("what does not come is asked for less and less often")
    package static let watches: WorldEvent.Kinds = [.sent, .processes, .links]

    /// The envelopes that each node asks for on its links.
    private var questions: [Int: [LinkID: [Name: Question]]] = [:]
    /// The time of the last announcement of each wanted envelope, at each node.
    private var announced: [Int: [Name: Moment?]] = [:]

    /// An envelope, with the digest, as Byzantine writers make several envelopes under one dot.
    private struct Name: Hashable {
        let dot: Dot
        let digestPrefix: UInt64

        init(_ entry: HaveEntry) {
            dot = entry.dot
            digestPrefix = entry.digestPrefix
        }
    }

    private struct Question {
        let since: Moment
        var last: Moment
        var times: Int64 = 1
    }

    package init() {}

    /// Wants that were queued while a link was stalled are sent within this time.
    private static let gathering = Interval.milliseconds(500)
    /// The time in which an announcement of a peer is received.
    private static let hearing = Interval.seconds(20)

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .sent(let node, let peer, let link, let bytes):
            for frame in SentFrames(bytes) {
                if frame.type == FrameType.want.rawValue, !world.nodes[node].isByzantine {
                    note(frame, LinkEnd(node: node, link: link), peer, world)
                } else if frame.type == FrameType.have.rawValue, announced[peer] != nil {
                    note(frame, announcedTo: peer, world.now)
                }
            }
        case .input(let node, .linkClosed(let link, _)): questions[node]?[link] = nil
        case .ended(let node, _):
            questions[node] = nil
            announced[node] = nil
        default: break
        }
    }

    private mutating func note(_ frame: RawFrame, _ end: LinkEnd, _ peer: Int, _ world: World) {
        guard case .want(let list)? = try? Frame(decoding: frame) else { return }
        for entry in list.entries {
            let question = asked(Name(entry), end, world.now)
            guard Self.isTooOften(question) else { continue }
            let names = "\(world.nodes[end.node].name) asks \(world.nodes[peer].name)"
            let since = (question.last - question.since).milliseconds
            let what = "\(names) for one envelope \(question.times) times in \(since) ms"
            world.fail(Self.promise, by: [end.node, peer], what)
        }
    }

    private mutating func asked(_ name: Name, _ end: LinkEnd, _ now: Moment) -> Question {
        let announced = announced[end.node, default: [:]][name, default: nil]
        self.announced[end.node, default: [:]][name] = .some(announced)
        var question = Question(since: now, last: now)
        if let known = questions[end.node]?[end.link]?[name],
            announced.map({ now >= $0 + Self.hearing }) ?? true
        {
            question = known
            if now >= known.last + Self.gathering {
                question.times += 1
                question.last = now
            }
        }
        questions[end.node, default: [:]][end.link, default: [:]][name] = question
        return question
    }

    /// Notes an announcement; a node asks for a newly announced envelope as for a new one.
    private mutating func note(_ frame: RawFrame, announcedTo node: Int, _ now: Moment) {
        guard case .have(let list)? = try? Frame(decoding: frame) else { return }
        // Revision 0 means that it was not found.
        for entry in list.entries where entry.revision > 0 && announced[node]?[Name(entry)] != nil {
            announced[node]?[Name(entry)] = .some(now)
        }
    }

    /// Whether a node asks too often.
    ///
    /// The pauses double from 1 s to 64 s, or to 32 s with a fast clock. One more want is allowed,
    /// as the first one may be sent late.
    private static func isTooOften(_ question: Question) -> Bool {
        let seconds = (question.last - question.since).milliseconds / 1_000
        let rounds = Int64(Int64.bitWidth - (seconds + 1).leadingZeroBitCount)
        return question.times > 1 + rounds + seconds / 32
    }
}
