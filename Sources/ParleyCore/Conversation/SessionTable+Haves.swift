/// Compares announced envelopes with the heads of this node.
extension SessionTable {
    /// The relation of an announced envelope to the heads of this node.
    package enum Standing: Sendable, Equatable {
        /// The envelope is a head, at these indices of the session and of the head in the session.
        case head(session: Int, head: Int)
        /// A head dominates the envelope.
        case dominated
        case missing
    }

    package func standing(of entry: HaveEntry) -> Standing {
        guard let session = numbers[entry.tag].map({ Int($0) }) else { return .missing }
        // Read in place: a copy of a session costs more than the search.
        for number in self[session].register.heads.indices {
            let head = self[session].register.heads[number]
            if head.dot == entry.dot, head.digest.words.0 == entry.digestPrefix {
                guard let index = self[session].index(of: head.dot),
                    !self[session].heads[index].isLost
                else { return .missing }
                return .head(session: session, head: index)
            }
            if entry.revision < head.revision, head.hasInContext(entry.dot) { return .dominated }
        }
        return .missing
    }

    /// Whether the envelope is a head of a session and not lost; nil means an unknown session.
    package func knows(_ head: Head, in session: Int32?) -> Bool {
        guard let index = session.map({ Int($0) }) else { return false }
        // Read in place: a copy of a session costs more than the search.
        for other in self[index].register.heads.indices
        where self[index].register.heads[other].dot == head.dot
            && self[index].register.heads[other].digest == head.digest
        {
            guard let record = self[index].index(of: head.dot) else { return false }
            return !self[index].heads[record].isLost
        }
        return false
    }

    /// Notes that the peer of a link has a head.
    package mutating func know(
        _ link: LinkID,
        has dot: Dot,
        tag: SessionTag,
        openLinks: [LinkID]
    ) {
        guard let session = numbers[tag].map({ Int($0) }),
            let head = self[session].index(of: dot)
        else { return }
        know(link, session: session, head: head, openLinks: openLinks)
    }

    /// The entry that announces a head, without a position.
    package func entry(of dot: Dot, in session: Int32) -> HaveEntry? {
        let index = Int(session)
        for head in self[index].register.heads.indices
        where self[index].register.heads[head].dot == dot {
            let head = self[index].register.heads[head]
            return HaveEntry(head, tag: self[index].tag, position: 0)
        }
        return nil
    }

    /// The entries that announce the heads in these audit buckets, at most `countMax`, from the
    /// session with the index `start` on.
    ///
    /// `start` becomes the index of the session with which to go on.
    package func entries(
        inBuckets buckets: Set<Int>,
        from start: inout Int,
        countMax: Int
    ) -> [HaveEntry] {
        var entries: [HaveEntry] = []
        for offset in 0..<count {
            let index = (start + offset) % count
            guard buckets.contains(self[index].bucket) else { continue }
            let heads = self[index].heads.filter { !$0.isLost }
            guard entries.isEmpty || entries.count + heads.count <= countMax else {
                start = index
                break
            }
            for head in heads.prefix(countMax) {
                if let entry = entry(of: head.dot, in: Int32(index)) { entries.append(entry) }
            }
        }
        return entries
    }
}

extension SessionState {
    /// The audit bucket that sums the heads of the session.
    var bucket: Int { Int(tag.value.words.0 >> 56) }
}
