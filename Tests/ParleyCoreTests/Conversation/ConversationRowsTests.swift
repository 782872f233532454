import ParleyCore
import ParleyFaults
import Testing

/// Recovery of a conversation from rows of the data directory, and the parts kept in memory.
@Suite struct ConversationRowsTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let cursors = [
        DeviceID(Bytes32(1, 2, 3, 4)): FeedCursor(incarnation: 5, position: 6)
    ]

    private func sample(cacheBytes: Int = 1 << 20) -> SampleConversation {
        SampleConversation(writers: [ada, ben], cursors: cursors, cacheBytes: cacheBytes)
    }

    private func row(
        _ heads: [StoredHead],
        number: Int64 = 1,
        of session: String = "s"
    ) -> SessionRow {
        SessionRow(
            row: number,
            conversation: 1,
            tag: ada.tag(session),
            position: 7,
            heads: heads,
            lines: .empty
        )
    }

    private func stored(_ envelope: Envelope) -> StoredHead {
        StoredHead(dot: envelope.header.dot, envelope: envelope.bytes)
    }

    // MARK: Recovery

    @Test func aSoundRowIsTakenWithItsBlobs() throws {
        var sample = sample()
        let blobs = [BlobReference(1), BlobReference(2)]
        let envelope = try ada.writes("s", blobs: blobs)
        let report = sample.conversation.recover(
            row([stored(envelope)]),
            into: &sample.cache,
            using: sample.crypto
        )
        #expect(report == RowReport(damage: nil, listed: blobs))
        #expect(sample.conversation.position(of: ada.tag("s")) == 7)
        #expect(sample.conversation.sessionUUID(ada.tag("s")) == SessionUUID(session: "s"))
        #expect(sample.conversation.sessions.references(to: blobs[0].id) == [blobs[0]])
        #expect(sample.conversation.cursors == cursors)
        let session = sample.conversation.sessions.numbers[ada.tag("s")]
        #expect(sample.conversation.sessions.knows(sample.head(envelope), in: session))
    }

    @Test func aTagThatIsThereTwiceIsDamage() throws {
        var sample = sample()
        let first = row([stored(try ada.writes("s"))])
        let second = row([stored(try ada.writes("s", 2, revision: 2))], number: 2)
        _ = sample.conversation.recover(first, into: &sample.cache, using: sample.crypto)
        let report = sample.conversation.recover(
            second,
            into: &sample.cache,
            using: sample.crypto
        )
        #expect(report == RowReport(damage: .tagTwice))
        #expect(sample.conversation.sessions.map(\.row) == [1])
    }

    /// A head that cannot be read leaves the others, and all peers are asked from the start.
    @Test(arguments: ["no bytes", "cut", "another session"])
    func aHeadThatCannotBeReadIsDamage(_ wrong: String) throws {
        var sample = sample()
        let good = try ben.writes("s", blobs: [BlobReference(3)])
        let bad = try ada.writes("s")
        let badHead =
            switch wrong {
            case "no bytes": StoredHead(dot: bad.header.dot, envelope: nil)
            case "cut": StoredHead(dot: bad.header.dot, envelope: bad.bytes[0..<20])
            default: stored(try ada.writes("t"))
            }
        let report = sample.conversation.recover(
            row([badHead, stored(good)]),
            into: &sample.cache,
            using: sample.crypto
        )
        #expect(report == RowReport(damage: .headUnreadable, listed: [BlobReference(3)]))
        #expect(sample.conversation.sessions.map { $0.heads.map(\.dot) } == [[ben.dot(1)]])
        #expect(sample.conversation.cursors == [:])
    }

    @Test func aRowWithoutHeadsIsDamage() {
        var sample = sample()
        let report = sample.conversation.recover(
            row([]),
            into: &sample.cache,
            using: sample.crypto
        )
        #expect(report == RowReport(damage: .headUnreadable))
        #expect(sample.conversation.position(of: ada.tag("s")) == nil)
        #expect(sample.conversation.cursors == [:])
    }

    /// The session of a row is found by halving.
    @Test func rowsComeInAscendingOrder() throws {
        var sample = sample()
        let damage = try [("a", 4), ("b", 6), ("c", 6), ("d", 5), ("e", 7)].map { session, number in
            sample.conversation.recover(
                row([stored(try ada.writes(session))], number: number, of: session),
                into: &sample.cache,
                using: sample.crypto
            ).damage
        }
        #expect(damage == [nil, nil, .numberOutOfRange, .numberOutOfRange, nil])
        let found = [4, 5, 6, 7].map { row in
            sample.conversation.sessions.restore([], row: row, in: &sample.cache)?.lost
        }
        #expect(found == [0, nil, 0, 0])
    }

    @Test func aFullCacheTakesHeadsWithoutTheirBytes() throws {
        var sample = sample(cacheBytes: 10)
        let envelope = try ada.writes("s")
        let report = sample.conversation.recover(
            row([stored(envelope)]),
            into: &sample.cache,
            using: sample.crypto
        )
        #expect(report == RowReport(damage: nil))
        #expect(sample.conversation.view(ada.tag("s"))?.heads.map(\.envelope) == [nil])
    }

    /// What was read at the start takes memory, and the session leaves it as others do.
    @Test func headsOfRowsCountInTheCache() throws {
        let envelopes = [try ada.writes("s"), try ben.writes("s")]
        let bytes = envelopes.reduce(0) { $0 + $1.bytes.count }
        var sample = sample(cacheBytes: bytes)
        _ = sample.conversation.recover(
            row(envelopes.map(stored)),
            into: &sample.cache,
            using: sample.crypto
        )
        #expect(sample.conversation.view(0)?.heads.map(\.envelope) == envelopes.map(\.bytes))
        #expect(!sample.cache.hasCapacity(for: 1))
        #expect(sample.cache.next() == nil, "memory is within the limit")
        sample.cache.kept(.whole(.empty), size: 1)
        #expect(sample.cache.next()?.session == 0)
        #expect(
            sample.conversation.sessions.evict(0, committed: Ticket(0), from: &sample.cache) == true
        )
        #expect(sample.cache.hasCapacity(for: bytes - 1))
        #expect(!sample.cache.hasCapacity(for: bytes))
    }

    // MARK: Writing

    @Test func aRowIsWrittenAsItIsRead() throws {
        var sample = sample()
        let envelope = try ada.writes("s")
        _ = sample.merge(envelope)
        let written = sample.conversation.write(0, with: Ticket(1))
        #expect(
            written
                == SessionRow(
                    row: 1,
                    conversation: 1,
                    tag: ada.tag("s"),
                    position: 1,
                    heads: [stored(envelope)],
                    lines: .empty
                )
        )
        _ = sample.merge(try ada.writes("s", 2, revision: 2))
        let next = sample.conversation.write(0, with: Ticket(2))
        #expect(next.position == 2)
        #expect(try SessionLines(decoding: next.lines).lines.map(\.dot) == [ada.dot(1)])
    }

    // MARK: Memory

    @Test func envelopesLeaveMemoryOnceTheyAreOnDisk() throws {
        var sample = sample()
        let envelope = try ada.writes("s")
        _ = sample.merge(envelope)
        _ = sample.conversation.write(0, with: Ticket(3))
        let early = sample.conversation.sessions.evict(0, committed: Ticket(2), from: &sample.cache)
        #expect(!early)
        #expect(sample.conversation.view(0)?.heads.map(\.envelope) == [envelope.bytes])
        let late = sample.conversation.sessions.evict(0, committed: Ticket(3), from: &sample.cache)
        #expect(late)
        #expect(sample.conversation.view(0)?.heads.map(\.envelope) == [nil])
        #expect(sample.cache.hasCapacity(for: 1 << 20))
    }

    @Test func envelopesComeBackOrAreLost() throws {
        var sample = sample()
        let envelopes = [try ada.writes("s"), try ben.writes("s")]
        sample.take(envelopes)
        _ = sample.conversation.sessions.evict(0, committed: Ticket(1), from: &sample.cache)
        let found: Few = [StoredHead(dot: ada.dot(1), envelope: envelopes[0].bytes)]
        #expect(sample.conversation.sessions.restore(found, row: 9, in: &sample.cache) == nil)
        #expect(sample.conversation.sessions.restore(found, row: 1, in: &sample.cache)?.lost == 1)
        let session = try #require(sample.conversation.sessions.first)
        #expect(session.record(of: ada.dot(1))?.envelope == envelopes[0].bytes)
        #expect(session.record(of: ada.dot(1))?.isLost == false)
        #expect(session.record(of: ben.dot(1))?.envelope == nil)
        #expect(session.record(of: ben.dot(1))?.isLost == true)
        #expect(!sample.cache.hasCapacity(for: 1 << 20))
    }
}
