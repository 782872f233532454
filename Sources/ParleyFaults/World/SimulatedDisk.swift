package import ParleyCore

/// The durable contents of a node's store, as a value.
package struct SimulatedDisk {
    /// A blob, complete or partial.
    package struct Blob {
        package var chunks: [Int: Slice] = [:]
        package var isComplete = false
        /// How many chunks it has when it is whole.
        package var chunkCount = 0
        /// Chunks with a changed bit.
        package var spoiled: Set<Int> = []
        /// The chunks that are stored and do not match their checksums.
        package var damaged: Set<Int> = []

        /// Forgets the damage of a chunk that is written anew or deleted.
        mutating func forgetDamage(of chunk: Int) {
            spoiled.remove(chunk)
            damaged.remove(chunk)
        }
    }

    package private(set) var device: DeviceID?
    package private(set) var epoch: Epoch?
    package private(set) var conversations: [UInt32: RecoveredConversation] = [:]
    package private(set) var nextConversationNumber: UInt32 = 1
    /// The number for the next conversation; numbers are given before a record is on disk.
    private var nextGivenNumber: UInt32 = 1
    package private(set) var rows: [Int64: SessionRow] = [:]
    package private(set) var blobs: [BlobID: Blob] = [:]
    package private(set) var addresses: [RememberedAddress] = []
    package private(set) var deviceNames: [DeviceID: String] = [:]
    /// Writes that a real store would have rejected.
    package private(set) var problems: [String] = []
    /// Whether some writes were done although they were reported as failed, so they will be
    /// repeated.
    package var isInDoubt = false

    /// An empty disk.
    package init() {}

    /// The number of a conversation that is about to be joined; none is given twice.
    package mutating func nextConversation() -> UInt32 {
        defer { nextGivenNumber += 1 }
        return nextGivenNumber
    }

    package mutating func apply(_ writes: [StoreWrite]) {
        let before = problems
        for write in writes { apply(write) }
        if isInDoubt { problems = before }
    }

    private mutating func apply(_ write: StoreWrite) {
        switch write {
        case .device(let device): self.device = device
        case .epoch(let epoch): self.epoch = epoch
        case .conversation(let record):
            if record.number < nextConversationNumber {
                problems.append("conversation \(record.number) was used before")
            }
            conversations[record.number] = RecoveredConversation(record: record)
            nextConversationNumber = max(nextConversationNumber, record.number + 1)
        case .conversationLeft(let number):
            conversations[number] = nil
            rows = rows.filter { $0.value.conversation != number }
        case .sequencesReserved(let number, let end):
            change(number) { $0.sequencesReservedEnd = end }
        case .incarnationStarted(let number, let run):
            change(number) { $0.incarnations.append(run) }
        case .incarnationsForgotten(let number): change(number) { $0.incarnations = [] }
        case .origin(let number, let id, let record):
            change(number) { $0.origins[id] = record }
        case .seat(let number, let seat, let guest):
            change(number) { $0.place(guest, at: seat) }
        case .member(let number, let name, let record):
            change(number) { $0.members[name] = record }
        case .session(let row): apply(row)
        case .cursor(let number, let peer, let cursor):
            change(number) { $0.cursors[peer] = cursor }
        case .blobChunk(let id, let index, let count, let bytes):
            blobs[id, default: Blob()].chunks[index] = bytes
            blobs[id]?.chunkCount = count
            blobs[id]?.forgetDamage(of: index)
        case .blobCompleted(let id):
            if blobs[id] == nil { problems.append("a blob without chunks was completed") }
            blobs[id]?.isComplete = true
        case .blobDropped(let id): blobs[id] = nil
        case .blobChunksDropped(let id, let chunks):
            blobs[id]?.isComplete = false
            for chunk in chunks {
                blobs[id]?.chunks[chunk] = nil
                blobs[id]?.forgetDamage(of: chunk)
            }
        case .address(let device, let text):
            let address = RememberedAddress(device: device, text: text)
            addresses.removeAll { $0 == address }
            addresses.append(address)
        case .deviceName(let device, let name):
            if name.isEmpty || name.utf8.count > Limits.deviceNameBytes {
                problems.append("a name of \(name.utf8.count) bytes is to be kept")
            }
            deviceNames[device] = name
        }
    }

    private mutating func apply(_ row: SessionRow) {
        if conversations[row.conversation] == nil {
            problems.append("a row belongs to no conversation")
        }
        let old = rows[row.row]?.heads ?? []
        let heads = row.heads.map { head in
            if head.envelope != nil { return head }
            guard let known = old.first(where: { $0.dot == head.dot }) else {
                problems.append("a head is to be kept that was never written")
                return head
            }
            return known
        }
        rows[row.row] = SessionRow(
            row: row.row,
            conversation: row.conversation,
            tag: row.tag,
            position: row.position,
            heads: heads,
            lines: row.lines,
            match: row.match
        )
    }

    private mutating func change(
        _ number: UInt32,
        _ body: (inout RecoveredConversation) -> Void
    ) {
        guard var conversation = conversations[number] else {
            problems.append("conversation \(number) is not there")
            return
        }
        body(&conversation)
        conversations[number] = conversation
    }

    // MARK: Reading

    package var recovery: Recovery {
        var recovery = Recovery()
        recovery.device = device
        recovery.epoch = epoch
        recovery.conversations = conversations.values.sorted {
            $0.record.number < $1.record.number
        }
        recovery.nextConversationNumber = nextConversationNumber
        recovery.addresses = addresses
        recovery.deviceNames = deviceNames
        for (id, blob) in blobs {
            recovery.blobs[id] = RecoveredBlob(
                isComplete: blob.isComplete,
                chunks: blob.isComplete ? [] : Set(blob.chunks.keys)
            )
        }
        return recovery
    }

    package var sortedRows: [SessionRow] { rows.values.sorted { $0.row < $1.row } }

    package func isComplete(_ blob: BlobID) -> Bool { blobs[blob]?.isComplete ?? false }

    /// Whether a blob is complete, with the bytes that were written.
    package func isWhole(_ blob: BlobID) -> Bool {
        isComplete(blob) && blobs[blob]?.spoiled.isEmpty == true
    }

    package func bytes(of blob: BlobID) -> Slice? {
        guard let chunks = blobs[blob]?.chunks else { return nil }
        var bytes: [UInt8] = []
        for index in chunks.keys.sorted() { chunks[index]?.append(to: &bytes) }
        return Slice(bytes)
    }

    /// A chunk as a store gives it; nil for a missing chunk and for a wrong checksum.
    package func chunk(_ index: Int, of blob: BlobID) -> Slice? {
        guard let blob = blobs[blob], !blob.damaged.contains(index) else { return nil }
        return blob.chunks[index]
    }

    /// A blob as a store gives it.
    package func stored(_ id: BlobID) -> StoredBlob {
        guard let blob = blobs[id], let bytes = bytes(of: id) else { return .notFound }
        let bad = (0..<blob.chunkCount)
            .filter { blob.chunks[$0] == nil || blob.damaged.contains($0) }
        return bad.isEmpty ? .whole(bytes) : .damaged(chunks: bad)
    }

    /// Whether the heads of a session on this disk contain or dominate a message.
    ///
    /// A damaged head, which cannot be decoded, does not count.
    package func keeps(_ dot: Dot, tag: SessionTag, _ conversation: ConversationID) -> Bool {
        for row in rows.values
        where row.tag == tag && conversations[row.conversation]?.record.id == conversation {
            return row.heads.contains { Self.keeps($0, dot) }
        }
        return false
    }

    /// Whether any head on this disk is a message or dominates it.
    func keeps(_ dot: Dot) -> Bool {
        rows.values.contains { row in row.heads.contains { Self.keeps($0, dot) } }
    }

    /// Whether a head is a message or dominates it: by its context, or by a later sequence of the
    /// same origin.
    private static func keeps(_ head: StoredHead, _ dot: Dot) -> Bool {
        guard let bytes = head.envelope, let envelope = try? Envelope(decoding: bytes) else {
            return false
        }
        return envelope.header.hasInContext(dot)
    }

    /// The answer of a store to a read.
    package func answer(_ read: StoreRead) -> NodeInput {
        switch read {
        case .session(let row): .loaded(row: row, heads: rows[row]?.heads ?? [])
        case .blobChunk(let read): .blobChunkLoaded(read, chunk(read.index, of: read.blob))
        case .blob(let blob): .blobLoaded(blob, stored(blob))
        }
    }

    // MARK: Damage

    /// The session that a random number selects.
    package func tag(pick: UInt64) -> SessionTag? {
        guard !rows.isEmpty else { return nil }
        return sortedRows[Int(pick % UInt64(rows.count))].tag
    }

    /// The blob that a random number selects.
    package func blob(pick: UInt64) -> BlobID? {
        guard !blobs.isEmpty else { return nil }
        let ids = blobs.keys.sorted { $0 < $1 }
        return ids[Int(pick % UInt64(ids.count))]
    }

    /// Drops the epoch, as a store does that finds itself at another location.
    package mutating func forgetEpoch() { epoch = nil }

    /// Removes a session without a trace.
    package mutating func lose(_ tag: SessionTag) {
        rows = rows.filter { $0.value.tag != tag }
    }

    /// Removes a record of the members of each conversation without a trace.
    package mutating func lose(_ record: MemberRecord) {
        for number in conversations.keys { conversations[number]?.members[record] = nil }
    }

    /// Makes the heads of a session undecodable.
    package mutating func damage(_ tag: SessionTag) {
        for (number, row) in rows where row.tag == tag {
            let heads = row.heads.map { StoredHead(dot: $0.dot, envelope: Slice([0xff])) }
            rows[number] = SessionRow(
                row: row.row,
                conversation: row.conversation,
                tag: row.tag,
                position: row.position,
                heads: heads,
                lines: row.lines,
                match: row.match
            )
        }
    }

    /// Changes a bit in the first chunk of a blob, and its checksum with it.
    package mutating func spoil(_ blob: BlobID) {
        spoil(blob, pick: 0)
    }

    /// Changes a bit in a chunk of a blob; with an odd `pick`, the checksum of the chunk shows it,
    /// else only the hash of the whole blob does.
    package mutating func spoil(_ blob: BlobID, pick: UInt64) {
        let kept = blobs[blob]?.chunks.keys.sorted() ?? []
        guard !kept.isEmpty else { return }
        let index = kept[Int(pick >> 8 % UInt64(kept.count))]
        guard var bytes = blobs[blob]?.chunks[index]?.bytes, !bytes.isEmpty else { return }
        bytes[Int(pick >> 16 % UInt64(bytes.count))] ^= 1
        blobs[blob]?.chunks[index] = Slice(bytes)
        blobs[blob]?.spoiled.insert(index)
        if !pick.isMultiple(of: 2) { blobs[blob]?.damaged.insert(index) }
    }
}
