/// Writes the sessions of a conversation as rows, and reads these back at the start.
extension Conversation {
    /// The row of a session to write with the commit `ticket`.
    package mutating func write(_ session: Int32, with ticket: Ticket) -> SessionRow {
        let index = Int(session)
        sessions[index].isDirty = false
        sessions[index].lastWrite = ticket
        return SessionRow(
            row: sessions[index].row,
            conversation: number,
            tag: sessions[index].tag,
            position: feed.position(of: session) ?? 0,
            heads: sessions[index].heads.lazy.map {
                StoredHead(dot: $0.dot, place: $0.place)
            },
            lines: sessions[index].lines.isEmpty
                ? .empty : Slice(sessions[index].lines.encoded()),
            match: roles.row(of: session, heads: sessions[index].heads.lazy.map(\.dot))
        )
    }

    // MARK: Recovery

    /// Adds a session from the data directory; rows come in ascending order.
    ///
    /// Damage is reported, and the rest of the row is kept. All cursors are then dropped: peers
    /// send their whole feeds, and with them the missing heads.
    package mutating func recover(
        _ row: SessionRow,
        into cache: inout EnvelopeCache,
        using crypto: some Cryptography
    ) -> RowReport {
        guard sessions.numbers[row.tag] == nil else { return RowReport(damage: .tagTwice) }
        guard sessions.last.map({ $0.row < row.row }) ?? true else {
            return RowReport(damage: .numberOutOfRange)
        }
        var envelopes: [(envelope: Envelope, head: Head)] = []
        for stored in row.heads {
            // An unreadable head is reported, and the other heads are kept.
            guard let bytes = stored.envelope, let envelope = try? Envelope(decoding: bytes),
                envelope.header.tag == row.tag
            else { continue }
            envelopes.append((envelope, envelope.head(in: record.id, using: crypto)))
        }
        // With other keys, all heads of a session may have gone.
        let isDamaged =
            envelopes.count < row.heads.count || row.heads.isEmpty && generations.arePlain
        if isDamaged { cursors = [:] }
        let session = sessions.add(row.tag, row: row.row)
        if !envelopes.isEmpty {
            feed.recover(session: session, position: row.position)
            restore(envelopes, at: row.position, session, in: &cache)
            restoreLines(row, envelopes.map(\.envelope), session, using: crypto)
        }
        return RowReport(
            damage: isDamaged ? .headUnreadable : nil,
            listed: sessions[Int(session)].heads.flatMap(\.blobs)
        )
    }

    private mutating func restore(
        _ envelopes: [(envelope: Envelope, head: Head)],
        at position: UInt64,
        _ session: Int32,
        in cache: inout EnvelopeCache
    ) {
        let register = SessionRegister(envelopes.map(\.head))
        sessions[Int(session)].register = register
        for head in register.heads {
            guard let envelope = envelopes.first(where: { $0.head == head })?.envelope else {
                continue
            }
            restore(envelope, head, at: position, session, in: &cache)
        }
    }

    private mutating func restore(
        _ envelope: Envelope,
        _ head: Head,
        at position: UInt64,
        _ session: Int32,
        in cache: inout EnvelopeCache
    ) {
        let size = envelope.bytes.count
        let isKept = cache.hasCapacity(for: size)
        let record = HeadRecord(
            envelope.header,
            place: isKept ? .whole(envelope.bytes.compacted()) : nil,
            size: size,
            proofStart: envelope.proofStart,
            writer: storeOrigin(head.dot.origin).writer,
            position: position,
            sentAfter: Ticket(0),
            hops: 1,
            isFetched: false,
            knownTo: []
        )
        append(record, head, session)
        if isKept {
            cache.kept(record.place, size: record.size)
            sessions.queue(session, in: &cache)
        }
    }

    private mutating func restoreLines(
        _ row: SessionRow,
        _ envelopes: [Envelope],
        _ session: Int32,
        using crypto: some Cryptography
    ) {
        let index = Int(session)
        defer { roles.recover(row, of: session) }
        if !row.lines.isEmpty, let lines = try? SessionLines(decoding: row.lines) {
            // Unreadable lines are lost, but not the messages themselves.
            sessions[index].lines = lines
        }
        guard keys.canRead else { return }
        for head in sessions[index].register.heads {
            guard let envelope = envelopes.first(where: { $0.header.dot == head.dot }) else {
                continue
            }
            guard head == sessions[index].register.shown else {
                _ = opened(envelope.items, head, session, using: crypto)
                continue
            }
            show(shownLine(envelope.items, head, session, using: crypto), index)
        }
        reorder(session, from: [])
    }
}

/// The result of recovering a row of the data directory.
package struct RowReport: Sendable, Equatable {
    package let damage: RowDamage?
    /// The blobs that the heads of the row list, in the order of the heads.
    package let listed: [BlobReference]

    package init(damage: RowDamage?, listed: [BlobReference] = []) {
        self.damage = damage
        self.listed = listed
    }
}

/// Why a row of the data directory was rejected, or recovered only in part.
package enum RowDamage: Sendable, Equatable {
    case numberOutOfRange
    case conversationUnknown
    case tagTwice
    case headUnreadable

    /// The reason in words, for the log.
    package var text: String {
        switch self {
        case .numberOutOfRange: "its number is out of range"
        case .conversationUnknown: "its conversation is unknown"
        case .tagTwice: "its tag is there twice"
        case .headUnreadable: "a head cannot be read"
        }
    }
}
