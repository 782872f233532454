import ParleyCore

/// A typical use of a conversation.
package enum Workload: Int, CaseIterable, Sendable {
    /// Two players take turns, each naming the other as next.
    case turns
    /// Each message starts a session of its own.
    case manySessions
    /// All nodes write in one session.
    case hotSession
    /// Several nodes answer the same message at the same moment.
    case concurrentAnswers
    /// Sessions are ended by tombstones and sometimes continued.
    case tombstones
    /// Messages carry pictures, inside and beside the envelope.
    case pictures
    /// Members join when there are many messages already.
    case lateJoiners
    /// Nodes join and leave a conversation again and again.
    case comingAndGoing
    /// There are readers and relays beside writers.
    case roles
    /// Many messages at a time are sent under one signature.
    case batches
}

/// Draws the workload of a run: several uses at once, in one or two conversations.
struct WorkloadMix {
    private let nodes: Int
    private let end: Interval
    private var random: SeededRandom
    private var chosen: [Workload] = []
    private var drawn: [ScheduledAction] = []
    private var texts = 0
    /// The most messages of a run; a few runs have no limit.
    ///
    /// One run with twice the messages finds less than two runs, and a message costs the more, the
    /// more nodes there are.
    private let textsMax: Int

    init(nodes: Int, end: Interval, isEndless: Bool, random: SeededRandom) {
        self.nodes = nodes
        self.end = end
        self.random = random
        textsMax = isEndless ? .max : min(300, 1_200 / nodes)
    }

    mutating func actions() -> [ScheduledAction] {
        let count = between(1...4)
        chosen = (0..<count).compactMap { _ in Workload.allCases.randomElement(using: &random) }
        join()
        let pace: Int64 = random.chance(1, in: 4) ? between(20...120) : between(300...4_000)
        var time: Int64 = between(0...800)
        while time < end.milliseconds, texts < textsMax {
            act(at: time)
            time += between(0...2 * pace)
        }
        return drawn
    }

    private mutating func between(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func between(_ range: ClosedRange<Int64>) -> Int64 {
        Int64.random(in: range, using: &random)
    }

    private mutating func node() -> Int { Int.random(in: 0..<nodes, using: &random) }

    private mutating func add(_ action: Action, at milliseconds: Int64) {
        drawn.append(ScheduledAction(.milliseconds(milliseconds), action))
    }

    // MARK: Membership

    private mutating func join() {
        for node in 0..<nodes {
            let isLate = chosen.contains(.lateJoiners) && node > 0 && random.chance(1, in: 2)
            let time = isLate ? between(1_000...max(1_001, end.milliseconds)) : between(0...50)
            add(.join(node: node, conversation: 1, role(of: node)), at: time)
            // A node that was down at its first request asks again.
            add(.join(node: node, conversation: 1, role(of: node)), at: end.milliseconds - 1_000)
            if random.chance(1, in: 4) {
                add(.join(node: node, conversation: 2, role(of: node)), at: between(0...5_000))
            }
        }
    }

    /// The first two nodes always write.
    private mutating func role(of node: Int) -> Capability.Role {
        guard chosen.contains(.roles), node > 1 else { return .writer }
        return Capability.Role.allCases.randomElement(using: &random) ?? .writer
    }

    // MARK: Doing

    private mutating func act(at time: Int64) {
        let conversation = random.chance(1, in: 6) ? 2 : 1
        switch chosen.randomElement(using: &random) ?? .turns {
        case .turns: turn(conversation, time)
        case .manySessions: say(conversation, time, between(0...2_000))
        case .hotSession: say(conversation, time, 0)
        case .concurrentAnswers:
            let session = between(0...2)
            for _ in 0..<between(2...4) {
                say(conversation, time + between(0...3), session)
            }
        case .tombstones:
            var utterance = utterance(between(0...4))
            utterance.isTombstone = random.chance(1, in: 3)
            send([utterance], conversation, time)
        case .pictures: picture(conversation, time)
        case .lateJoiners, .roles: say(conversation, time, between(0...10))
        case .comingAndGoing: comeOrGo(time)
        case .batches:
            let count = between(2...12)
            send((0..<count).map { _ in utterance(between(0...5)) }, conversation, time)
        }
    }

    private mutating func utterance(_ session: Int) -> Utterance {
        texts += 1
        let padding = random.chance(1, in: 8) ? between(200...3_000) : 0
        var utterance = Utterance(
            session: session,
            text: "\(texts)" + String(repeating: ".", count: padding)
        )
        if random.chance(1, in: 12) { utterance.replacing = .nothing }
        if random.chance(1, in: 4) { utterance.summary = "said \(texts)" }
        return utterance
    }

    private mutating func send(_ utterances: [Utterance], _ conversation: Int, _ time: Int64) {
        add(.send(node: node(), conversation: conversation, utterances), at: time)
    }

    private mutating func say(_ conversation: Int, _ time: Int64, _ session: Int) {
        send([utterance(session)], conversation, time)
    }

    /// A move in a game of two; now and then a node moves out of turn.
    private mutating func turn(_ conversation: Int, _ time: Int64) {
        let game = between(0...3)
        let players = [game % nodes, (game + 1) % nodes]
        let mover = random.chance(1, in: 10) ? node() : players[between(0...1)]
        var move = utterance(100 + game)
        move.next = mover == players[0] ? [players[1]] : [players[0]]
        add(.send(node: mover, conversation: conversation, [move]), at: time)
    }

    private mutating func picture(_ conversation: Int, _ time: Int64) {
        var utterance = utterance(between(0...6))
        let isLarge = random.chance(1, in: 8)
        utterance.pictureBytes = isLarge ? between(60_000...200_000) : between(100...20_000)
        send([utterance], conversation, time)
    }

    private mutating func comeOrGo(_ time: Int64) {
        let node = node()
        if random.chance(1, in: 2) {
            add(.leave(node: node, conversation: 2), at: time)
        } else {
            let role = Capability.Role.allCases.randomElement(using: &random) ?? .writer
            add(.join(node: node, conversation: 2, role), at: time)
        }
        say(random.chance(1, in: 2) ? 2 : 1, time, between(0...5))
    }
}
