import ParleyCore

/// The rules of the session register written down as plainly as can be: the reference model that
/// the register is compared with.
enum RegisterModel {
    static func order(_ left: Head, isAbove right: Head) -> Bool {
        (left.revision, left.tieBreak, left.digest)
            > (right.revision, right.tieBreak, right.digest)
    }

    static func hasInContext(_ head: Head, _ dot: Dot) -> Bool {
        if head.dot == dot { return true }
        var sequence = head.context.first { $0.origin == dot.origin }?.sequence ?? 0
        if head.dot.origin == dot.origin { sequence = max(sequence, head.dot.sequence - 1) }
        return sequence >= dot.sequence
    }

    static func dominates(_ head: Head, _ other: Head) -> Bool {
        order(head, isAbove: other) && hasInContext(head, other.dot)
    }

    /// The heads of what either side has, highest first.
    static func merge(_ mine: [Head], _ theirs: [Head], headsMax: Int = Limits.heads) -> [Head] {
        let both = mine + theirs.filter { !mine.contains($0) }
        let heads = both.filter { head in !both.contains { dominates($0, head) } }
        return Array(heads.sorted { order($0, isAbove: $1) }.prefix(headsMax))
    }

    /// An honest write: it has seen the whole context of the heads that it replaces.
    static func write(_ heads: [Head], _ writer: Int, _ sequence: UInt64) -> Head {
        var context: [OriginID: UInt64] = [:]
        for dot in heads.flatMap({ $0.context + [$0.dot] }) {
            context[dot.origin] = max(context[dot.origin] ?? 0, dot.sequence)
        }
        context[OriginID(writer: writer)] = nil
        return Head(
            dot: Dot(writer, sequence),
            revision: 1 + (heads.map(\.revision).max() ?? 0),
            context: context.map { Dot(origin: $0.key, sequence: $0.value) }.sorted()
        )
    }
}
