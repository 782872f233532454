import ParleyCore

/// Draws writers of hundreds of messages at once, in every fifth run.
///
/// One conversation is busy; others share its links, and have a message now and then. Relays are in
/// each conversation. Other workloads send few messages at a time in one or two conversations, and
/// so hardly ever fill links.
struct BurstMix {
    let nodes: Int
    let end: Interval
    private var random: SeededRandom
    private var texts = 0

    /// The numbers of the conversations, beyond those of other workloads.
    private static let conversations = 3...8
    /// A message costs the more, the more nodes there are.
    private var messagesMax: Int { min(800, 4_000 / nodes) }

    init(nodes: Int, end: Interval, seed: UInt64) {
        self.nodes = nodes
        self.end = end
        // The salt leaves the recorded seeds of mutants and mistakes as they are.
        random = SeededRandom(seed: seed ^ 0x1000_0188)
    }

    mutating func actions() -> [ScheduledAction] {
        guard nodes > 1, random.chance(1, in: 5) else { return [] }
        let busy = Self.conversations.lowerBound
        let last = between(busy + 1...Self.conversations.upperBound)
        var drawn = (busy...last).flatMap { joins($0) }
        for _ in 0..<between(1...4) {
            let time = Int64(between(1_000...max(1_001, Int(end.milliseconds))))
            // Two authors at once take turns in the frames that are passed on.
            for author in 0..<between(1...2) { drawn += burst(in: busy, by: author, at: time) }
            for conversation in busy + 1...last {
                let text = [utterance(0)]
                let action = Action.send(node: between(0...1), conversation: conversation, text)
                drawn.append(ScheduledAction(.milliseconds(time + Int64(between(0...20))), action))
            }
        }
        return drawn
    }

    /// The first two nodes write in all conversations, so that their link carries all.
    private mutating func joins(_ conversation: Int) -> [ScheduledAction] {
        (0..<nodes).flatMap { node -> [ScheduledAction] in
            guard node < 2 || random.chance(2, in: 3) else { return [] }
            let role: Capability.Role = node > 1 && random.chance(1, in: 3) ? .relay : .writer
            let join = Action.join(node: node, conversation: conversation, role)
            // A node that was down at its first request asks again.
            return [Int64(between(0...500)), end.milliseconds - 1_000].map {
                ScheduledAction(.milliseconds($0), join)
            }
        }
    }

    /// Messages under one signature or under several, each in a session of its own or in few.
    private mutating func burst(in busy: Int, by author: Int, at time: Int64) -> [ScheduledAction] {
        let count = between(50...max(50, messagesMax / 4))
        let sessions = random.chance(1, in: 3) ? between(1...40) : count
        let batch = random.chance(1, in: 2) ? count : between(1...64)
        return stride(from: 0, to: count, by: batch).map { first in
            let messages = (first..<min(first + batch, count)).map { utterance($0 % sessions) }
            let action = Action.send(node: author, conversation: busy, messages)
            return ScheduledAction(.milliseconds(time), action)
        }
    }

    private mutating func utterance(_ session: Int) -> Utterance {
        texts += 1
        return Utterance(session: session, text: "burst \(texts)")
    }

    private mutating func between(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
