import ParleyCore

/// All envelopes of a session, in the order of becoming known, with their replacements.
///
/// An envelope replaces the envelopes that it dominates. Usually the author knew the dominated
/// envelopes, with everything that they had replaced. Some authors replace blindly, so that
/// envelopes vanish from all disks, and no node can prevent that:
///
/// - An author whose disk lost a message or was set back. The author's next message replaces all
///   messages of the same origin with a lower sequence.
/// - A copy of a data directory that goes on under the same origin.
/// - A Byzantine writer, who may claim any context.
///
/// Any other author that blindly replaces a message of its own is at fault. The history marks such
/// a message as `forgotten`, and does not count the replacement.
struct SessionHistory {
    enum Author: Hashable {
        case node(Int)
        /// A Byzantine writer or an intruder.
        case byzantine
        /// The envelope is on a disk, and nobody was seen to write it.
        case nobody
    }

    struct Entry {
        let author: Author
        let written: Ledger.Written
        /// The origins under which the author's node wrote at that time, for itself and its guests.
        let origins: Set<OriginID>
        /// Entries of the same origin in the context that the author should have known.
        var forgotten: Set<Int> = []
    }

    /// For each entry, whether a set contains it.
    private typealias Members = [Bool]

    private(set) var entries: [Entry] = []
    private var indices: [Dot: [Int]] = [:]

    // MARK: Writing

    /// Adds an envelope that is not known yet.
    @discardableResult
    mutating func add(
        _ written: Ledger.Written,
        by author: Author,
        origins: Set<OriginID> = []
    ) -> Int {
        entries.append(Entry(author: author, written: written, origins: origins))
        indices[written.header.dot, default: []].append(entries.count - 1)
        return entries.count - 1
    }

    /// Notes which other messages of its origin the author of the last entry has forgotten.
    ///
    /// `heads` are those of the author's node; excused messages may have been lost.
    mutating func noteForgotten(after heads: [Dot], isExcused: (Int, Author) -> Bool) {
        let last = entries.count - 1
        let dot = entries[last].written.header.dot
        let before = heads.flatMap { indices[$0] ?? [] }.filter { $0 != last }
        var known: Members?
        for index in 0..<last where entries[index].written.header.dot.origin == dot.origin {
            guard !isExcused(index, entries[index].author) else { continue }
            let other = entries[index].written.header.dot
            // The earlier message cannot have known the later one.
            if other.sequence >= dot.sequence { entries[index].forgotten.insert(last) }
            guard other.sequence <= dot.sequence,
                !before.contains(where: { $0 == index || mayHaveKnown($0, index) })
            else { continue }
            let all = known ?? closure(of: before) { mayHaveKnown($0, $1) }
            known = all
            if !all[index] { entries[last].forgotten.insert(index) }
        }
    }

    // MARK: Reading

    func index(of dot: Dot, _ bytes: Slice) -> Int? {
        indices[dot]?.first { entries[$0].written.bytes == bytes }
    }

    /// The last envelope that a node wrote under a dot, not before `start`.
    ///
    /// An earlier envelope under the dot may be missing in a backup of the node.
    func index(of dot: Dot, by node: Int, since start: Moment) -> Int? {
        indices[dot]?.last { index in
            entries[index].author == .node(node) && entries[index].written.time >= start
        }
    }

    /// Whether a head is an entry, or leads to it through replacements.
    ///
    /// The author of each replacement knew the replaced entry, or is excused.
    func keeps(_ head: Int, _ index: Int, _ world: World) -> Bool {
        head == index || kept(by: [head], world)[index]
    }

    /// The entries by nodes, or by one node, that only the `old` heads keep, in ascending order.
    func lost(from old: [Int], to new: [Int], by node: Int? = nil, _ world: World) -> [Int] {
        let isSimple = old.allSatisfy { head in
            new.contains { $0 == head || dominates($0, head, world) && mayHaveKnown($0, head) }
        }
        guard !isSimple else { return [] }
        let (before, after) = (kept(by: old, world), kept(by: new, world))
        return entries.indices.filter { index in
            guard before[index], !after[index], case .node(let author) = entries[index].author
            else { return false }
            return author == node ?? author
        }
    }

    /// For each entry, whether the heads keep it.
    private func kept(by heads: [Int], _ world: World) -> Members {
        var known: [Int: Members] = [:]
        return closure(of: heads) { later, earlier in
            guard dominates(later, earlier, world) else { return false }
            if mayHaveKnown(later, earlier) { return true }
            let all = known[later] ?? closure(of: [later]) { mayHaveKnown($0, $1) }
            known[later] = all
            return all[earlier]
        }
    }

    /// As the protocol has it: higher in the order, and the context includes the dot.
    private func dominates(_ later: Int, _ earlier: Int, _ world: World) -> Bool {
        let (one, other) = (entries[later].written, entries[earlier].written)
        guard one.header.hasInContext(other.header.dot) else { return false }
        guard one.header.revision == other.header.revision else {
            return one.header.revision > other.header.revision
        }
        return EnvelopeOrder(one, world) > EnvelopeOrder(other, world)
    }

    /// Whether the author of `later` knew `earlier`, which the context includes, or is excused.
    private func mayHaveKnown(_ later: Int, _ earlier: Int) -> Bool {
        let (one, other) = (entries[later], entries[earlier])
        guard one.written.header.hasInContext(other.written.header.dot) else { return false }
        switch one.author {
        case .byzantine: return true
        case .nobody: return false
        case .node: break
        }
        if one.written.header.dot.origin == other.written.header.dot.origin {
            return !one.forgotten.contains(earlier)
        }
        return other.written.header.context.allSatisfy { dot in
            // The context of an envelope leaves out its own origin. A message under another origin
            // of the node left it out as well, and may have been replaced in the step of `one`
            // without reaching the store: then nobody else says what that message replaced.
            one.written.header.hasInContext(dot) || dot.origin == one.written.header.dot.origin
                || one.origins.contains(dot.origin) && indices[dot] == nil
        }
    }

    /// For each entry whether it can be reached from `heads`, which are reached themselves.
    private func closure(
        of heads: [Int],
        _ leads: (_ later: Int, _ earlier: Int) -> Bool
    ) -> Members {
        var closure = Members(repeating: false, count: entries.count)
        for head in heads { closure[head] = true }
        var next = heads
        while let later = next.popLast() {
            for earlier in entries.indices where !closure[earlier] && leads(later, earlier) {
                closure[earlier] = true
                next.append(earlier)
            }
        }
        return closure
    }
}
