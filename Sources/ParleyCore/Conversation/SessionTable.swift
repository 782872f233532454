/// The sessions of a conversation, and their heads by tag, dot, blob and audit bucket.
///
/// Sessions are numbered densely from 0, ascending by row, in the order in which they were found or
/// began.
package struct SessionTable: Sendable {
    /// The number of the conversation.
    let conversation: UInt32
    private var states = ChunkedArray<SessionState>()
    /// The numbers of the sessions.
    package private(set) var numbers: [SessionTag: Int32] = [:]
    /// The sum of head digests' first eight bytes, for each first byte of a session tag.
    package private(set) var auditSums = [UInt64](repeating: 0, count: Audit.buckets)
    /// Counts the occasions on which a peer turned out to have a head.
    private(set) var knowledge: UInt64 = 0
    /// The sessions of all heads.
    private var byHead = SlotIndex()
    /// The sessions whose heads list a blob, once for each head.
    private var byBlob: [BlobID: Few<Int32>] = [:]

    init(of conversation: UInt32) {
        self.conversation = conversation
    }

    /// The session with this dot as a head.
    func number(withHead dot: Dot) -> Int32? {
        byHead.slot(hash: dot.indexHash) { states[$0].index(of: dot) != nil }.map { Int32($0) }
    }

    // MARK: Changes

    /// Adds a session, whose row is higher than all others.
    ///
    /// - Returns: the number of the session.
    mutating func add(_ tag: SessionTag, row: Int64) -> Int32 {
        let number = Int32(states.count)
        states.append(SessionState(tag: tag, row: row))
        numbers[tag] = number
        return number
    }

    /// Adds the record of a head.
    mutating func append(_ record: HeadRecord, _ head: Head, to session: Int32) {
        states[Int(session)].heads.append(record)
        byHead.insert(Int(session), hash: head.dot.indexHash)
        sum(head, of: session, isAdded: true)
        for blob in record.blobs { byBlob[blob.id, default: []].append(session) }
    }

    /// Removes the record of a head that was replaced or dropped.
    mutating func remove(_ head: Head, of session: Int32) -> HeadRecord? {
        guard let index = states[Int(session)].index(of: head.dot) else { return nil }
        let record = states[Int(session)].heads.remove(at: index)
        byHead.remove(Int(session), hash: head.dot.indexHash)
        if !record.isLost { sum(head, of: session, isAdded: false) }
        for blob in record.blobs { unlist(blob.id, by: session) }
        return record
    }

    private mutating func unlist(_ blob: BlobID, by session: Int32) {
        guard var sessions = byBlob[blob], let index = sessions.firstIndex(of: session) else {
            return
        }
        sessions.remove(at: index)
        byBlob[blob] = sessions.isEmpty ? nil : sessions
    }

    /// Replaces the only head of a session, whose row is then to be written.
    ///
    /// `hash` is that of the new head's origin.
    @inline(__always)
    mutating func replaceOnlyHead(
        of session: Int32,
        by head: Head,
        _ pushed: PushedEnvelope,
        writer: Int32,
        at position: UInt64,
        hash: OriginHash
    ) -> ReplacedHead {
        let old = states[Int(session)].replaceOnlyHead(by: head, pushed, writer, position)
        let oldHash = old.dot.origin == head.dot.origin ? hash : OriginHash(old.dot.origin)
        byHead.remove(Int(session), hash: oldHash.hash(of: old.dot.sequence))
        byHead.insert(Int(session), hash: hash.hash(of: head.dot.sequence))
        auditSums[Int(pushed.tag.value.words.0 >> 56)] &+= head.digest.words.0 &- old.digestPrefix
        return old
    }

    /// Notes that the store has lost a head: the audit sums leave it out, so that members announce
    /// it again.
    private mutating func lose(_ index: Int, of session: Int32) {
        let dot = states[Int(session)].heads[index].dot
        if let head = states[Int(session)].register.heads.first(where: { $0.dot == dot }) {
            sum(head, of: session, isAdded: false)
        }
        states[Int(session)].heads[index].isLost = true
    }

    /// Takes the envelope of a lost head.
    mutating func regain(_ record: HeadRecord, at index: Int, _ head: Head, of session: Int32) {
        states[Int(session)].heads[index] = record
        sum(head, of: session, isAdded: true)
    }

    /// Adds a head to the audit sum of its session's bucket, or subtracts it.
    private mutating func sum(_ head: Head, of session: Int32, isAdded: Bool) {
        let bucket = states[Int(session)].bucket
        let part = head.digest.words.0
        auditSums[bucket] = isAdded ? auditSums[bucket] &+ part : auditSums[bucket] &- part
    }

    /// Notes that the peer of a link has the head at these indices.
    @inline(__always)
    package mutating func know(_ link: LinkID, session: Int, head: Int, openLinks: [LinkID]) {
        knowledge += 1
        states[session].heads[head].know(link, openLinks: openLinks)
    }

    // MARK: Envelopes in memory

    /// Queues a session for the eviction of its envelopes.
    mutating func queue(_ session: Int32, in cache: inout EnvelopeCache) {
        guard !states[Int(session)].isInCacheQueue else { return }
        states[Int(session)].isInCacheQueue = true
        cache.queued(conversation: conversation, session: session)
    }

    /// Evicts the envelopes of a session from memory.
    ///
    /// - Returns: false if the envelopes are not on disk yet.
    package mutating func evict(
        _ session: Int32,
        committed: Ticket,
        from cache: inout EnvelopeCache
    ) -> Bool {
        let index = Int(session)
        guard states[index].lastWrite <= committed else { return false }
        states[index].isInCacheQueue = false
        for head in states[index].heads.indices {
            cache.dropped(states[index].heads[head].place, size: states[index].heads[head].size)
            states[index].heads[head].place = nil
        }
        return true
    }

    /// Takes evicted envelopes that were read back into memory again.
    ///
    /// A head that the store no longer has is lost. A row without heads is damaged, and written
    /// again if memory has some heads of the session.
    ///
    /// - Returns: the number of lost heads, and the session to write, if any; nil if the row
    ///   belongs to another conversation.
    package mutating func restore(
        _ heads: Few<StoredHead>,
        row: Int64,
        in cache: inout EnvelopeCache
    ) -> (lost: Int, rewritten: Int32?)? {
        let index = states.indices.partitioningIndex { states[$0].row >= row }
        guard index < states.count, states[index].row == row else { return nil }
        let isInMemory = states[index].heads.contains { $0.place != nil }
        var lost = 0
        for head in states[index].heads.indices
        where states[index].heads[head].place == nil && !states[index].heads[head].isLost {
            let dot = states[index].heads[head].dot
            guard let bytes = heads.first(where: { $0.dot == dot })?.envelope else {
                lose(head, of: Int32(index))
                lost += 1
                continue
            }
            states[index].heads[head].place = .whole(bytes.compacted())
            cache.kept(.whole(bytes), size: states[index].heads[head].size)
        }
        queue(Int32(index), in: &cache)
        guard heads.isEmpty, isInMemory, !states[index].isDirty else { return (lost, nil) }
        states[index].isDirty = true
        return (lost, Int32(index))
    }

    /// Copies the envelopes that are kept of a batch frame, so that the frame leaves memory.
    mutating func copyOut(of block: BatchBlock, in cache: inout EnvelopeCache) {
        var reader = BatchReader(block)
        var proof = block.proof
        while let entry = try? reader.next(&proof) {
            guard let items = try? EnvelopeItems(decoding: block.items(of: entry)),
                let session = numbers[items.header.tag].map({ Int($0) }),
                let head = states[session].index(of: items.header.dot),
                states[session].heads[head].place?.isEntry(of: block, at: entry.start) == true
            else { continue }
            let envelope = EnvelopePlace.whole(block.envelope(of: entry, proof: proof))
            let size = states[session].heads[head].size
            cache.dropped(states[session].heads[head].place, size: size)
            states[session].heads[head].place = envelope
            cache.kept(envelope, size: size)
        }
    }

    // MARK: Blobs

    /// Whether a head lists the blob.
    @inline(__always)
    package func lists(_ blob: BlobID) -> Bool { byBlob[blob] != nil }

    /// The sessions with a head that lists the blob.
    package func tags(listing blob: BlobID) -> [SessionTag] {
        numbers(listing: blob).map { states[Int($0)].tag }
    }

    /// The different references to a blob; more than one if an author names a wrong size.
    package func references(to blob: BlobID) -> [BlobReference] {
        var references: [BlobReference] = []
        var seen: Set<UInt64> = []
        for number in numbers(listing: blob) {
            for reference in states[Int(number)].heads.flatMap(\.blobs)
            where reference.id == blob && seen.insert(reference.size).inserted {
                references.append(reference)
            }
        }
        return references
    }

    /// The numbers of the sessions that list the blob, ascending.
    private func numbers(listing blob: BlobID) -> [Int32] { Set(byBlob[blob] ?? []).sorted() }
}

extension SessionTable: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { states.count }

    /// Reads and changes a session in place: a copy costs more than most changes.
    #if DEBUG
    // Debug builds of Swift 6.3.1 read parts of a yielded value after the access.
    package internal(set) subscript(index: Int) -> SessionState {
        get { states[index] }
        _modify { yield &states[index] }
    }
    #else
    package internal(set) subscript(index: Int) -> SessionState {
        _read { yield states[index] }
        _modify { yield &states[index] }
    }
    #endif
}
