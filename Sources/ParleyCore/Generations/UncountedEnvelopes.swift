/// The envelopes that came, or were heads here, and did not count: of authors who are out.
///
/// They may count later, when another line or a vouch comes, and nobody would send them again, as
/// this node confirmed them. Of too many, the first ones are forgotten; then the next audit finds
/// what is missing.
struct UncountedEnvelopes: Sendable {
    private(set) var entries: [(head: Head, tag: SessionTag)] = []

    mutating func note(_ head: Head, tag: SessionTag) {
        guard !entries.contains(where: { $0.head == head && $0.tag == tag }) else { return }
        if entries.count == Limits.uncountedEnvelopes { entries.removeFirst() }
        entries.append((head, tag))
    }

    /// Forgets the envelopes that are here, or replaced.
    mutating func remove(where isHere: (Head, SessionTag) -> Bool) {
        entries.removeAll { isHere($0.head, $0.tag) }
    }
}
