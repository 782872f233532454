/// Compares announced envelopes with the heads of this node.
extension Conversation {
    /// The relation of an announced envelope to the heads of this node.
    package enum Standing: Sendable, Equatable {
        /// The envelope is a head, at these indices of the session and of the head in the session.
        case head(session: Int, head: Int)
        /// A head dominates the envelope.
        case dominated
        case missing
    }

    package func standing(of entry: HaveEntry) -> Standing {
        guard let session = sessionNumbers[entry.tag].map({ Int($0) }) else { return .missing }
        // Read in place: a copy of a session costs more than the search.
        for number in sessions[session].register.heads.indices {
            let head = sessions[session].register.heads[number]
            if head.dot == entry.dot, head.digest.words.0 == entry.digestPrefix {
                guard let index = sessions[session].index(of: head.dot),
                    !sessions[session].heads[index].isLost
                else { return .missing }
                return .head(session: session, head: index)
            }
            if entry.revision < head.revision, head.hasInContext(entry.dot) { return .dominated }
        }
        return .missing
    }

    /// Checks the proof of an envelope, unless the envelope is a head already.
    ///
    /// - Returns: whether a signature was checked.
    @inline(__always)
    mutating func verify(
        _ head: Head,
        by proof: EnvelopeProof,
        in session: Int32?,
        using crypto: some Cryptography
    ) throws(Refusal) -> Bool {
        knows(head, in: session) ? false : try origins.prove(head, by: proof, using: crypto)
    }

    /// Whether the envelope is a head of a session and not lost; nil means an unknown session.
    package func knows(_ head: Head, in session: Int32?) -> Bool {
        guard let index = session.map({ Int($0) }) else { return false }
        // Read in place: a copy of a session costs more than the search.
        for other in sessions[index].register.heads.indices
        where sessions[index].register.heads[other].dot == head.dot
            && sessions[index].register.heads[other].digest == head.digest
        {
            guard let record = sessions[index].index(of: head.dot) else { return false }
            return !sessions[index].heads[record].isLost
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
        guard let session = sessionNumbers[tag].map({ Int($0) }),
            let head = sessions[session].index(of: dot)
        else { return }
        know(link, session: session, head: head, openLinks: openLinks)
    }

    /// Notes that the peer of a link has the head at these indices.
    @inline(__always)
    package mutating func know(_ link: LinkID, session: Int, head: Int, openLinks: [LinkID]) {
        knowledge += 1
        sessions[session].heads[head].know(link, openLinks: openLinks)
    }

    /// The entry that announces a head, without a position.
    package func entry(of dot: Dot, session: Int32) -> HaveEntry? {
        let index = Int(session)
        for head in sessions[index].register.heads.indices
        where sessions[index].register.heads[head].dot == dot {
            let head = sessions[index].register.heads[head]
            return HaveEntry(head, tag: sessions[index].tag, position: 0)
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
        for offset in 0..<sessions.count {
            let index = (start + offset) % sessions.count
            guard buckets.contains(sessions[index].bucket) else { continue }
            let heads = sessions[index].heads.filter { !$0.isLost }
            guard entries.isEmpty || entries.count + heads.count <= countMax else {
                start = index
                break
            }
            for head in heads.prefix(countMax) {
                if let entry = entry(of: head.dot, session: Int32(index)) { entries.append(entry) }
            }
        }
        return entries
    }

    /// Ends the want for an envelope that arrived, and the wants for envelopes that heads dominate.
    ///
    /// - Returns: the names of those envelopes.
    mutating func settle(_ name: EnvelopeName) -> [EnvelopeName] {
        var settled: [EnvelopeName] = []
        for entry in wants.entries(of: name.tag) {
            if entry.name != name, case .missing = standing(of: entry) { continue }
            wants.settled(entry.name)
            settled.append(entry.name)
        }
        return settled
    }
}

extension SessionState {
    /// The audit bucket that sums the heads of the session.
    var bucket: Int { Int(tag.value.words.0 >> 56) }
}
