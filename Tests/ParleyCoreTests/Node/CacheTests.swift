import ParleyCore
import ParleyFaults
import Testing

/// Envelopes leave memory and are read back to be sent.
@Suite struct CacheTests {
    private let table = SimulatedConversation(1)

    private func settings() -> WorldSettings {
        var settings = WorldSettings()
        settings.limits.cacheBytes = 1_000
        return settings
    }

    @Test func evictedEnvelopesAreReadBackForALateJoiner() throws {
        let world = World(nodes: 3, settings())
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        for number in 0..<40 { world.send("s\(number)", "x", by: number % 2, in: table) }
        world.settle()
        let inMemory = (0..<40).filter { number in
            world.view("s\(number)", in: table, at: 0)?.heads.first?.envelope != nil
        }
        #expect(inMemory.count < 10)
        world.join(table, [2])
        world.run(.seconds(2))
        #expect(world.text("s0", in: table, at: 2) == "x")
        world.settle()
        #expect(world.trace.crossings.filter { $0.to == 2 }.count == 40)
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    @Test func evictedEnvelopesAreThereAfterARestart() {
        let world = World(nodes: 2, settings())
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        for number in 0..<20 { world.send("s\(number)", "x", by: 0, in: table) }
        world.settle()
        world.crash(0)
        world.start(0)
        world.send("s3", "y", by: 0, in: table)
        world.settle()
        #expect(world.texts("s3", in: table) == ["y", "y"])
        #expect(world.texts("s4", in: table) == ["x", "x"])
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Regression: what was damaged while a node ran came back only after its next start.
    @Test func aMemberSendsAgainWhatADiskHasLost() throws {
        let world = World(nodes: 2, settings())
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        for number in 0..<20 { world.send("s\(number)", "x", by: 0, in: table) }
        world.settle()
        let lost = try #require(world.view("s0", in: table, at: 0))
        #expect(lost.heads.map(\.envelope) == [nil])
        world.nodes[0].disk.lose(lost.tag)
        world.input(.loaded(row: lost.row, heads: []), to: 0)
        world.run(.seconds(100))
        let row = try #require(world.nodes[0].disk.rows[lost.row])
        #expect(row.heads.map(\.dot) == lost.heads.map(\.dot))
        world.expectEqualHeads(of: table)
    }

    /// A node that has everything on disk only, with a peer that has asked for its feed before or
    /// will do so.
    private func evicted(
        sessions: Int,
        url: String? = nil,
        of table: SimulatedConversation,
        isMet: Bool = false
    ) -> Puppet {
        var limits = Limits()
        limits.cacheBytes = 0
        var puppet = Puppet(limits: limits)
        if isMet { puppet.meetWithoutCredit() }
        for number in 0..<sessions {
            var body = MessageBody(
                session: SessionUUID(session: "s\(number)"),
                place: 0,
                sentAt: 0
            )
            body.url = url
            let request = AuthorRequest(
                request: RequestID(UInt64(number)),
                conversation: 1,
                body: body
            )
            puppet.handle(.authored([request]))
        }
        puppet.handle(.timer)
        return puppet
    }

    /// Regression: without credit a session was read back again and again.
    @Test func nothingIsReadBackWithoutCredit() throws {
        var puppet = evicted(sessions: 3, of: table)
        #expect(puppet.session?.heads.first?.envelope == nil)
        puppet.meetWithoutCredit()
        puppet.send(.want(WantList(conversation: 0, entries: puppet.announcements)))
        for _ in 0..<5 { puppet.send(.ping(1)) }
        #expect(puppet.reads.isEmpty)
        puppet.send(.credit(Credit(envelopeBytes: 1 << 20, blobBytes: 0, names: 1 << 30)))
        #expect(puppet.reads == (1...3).map { .session(row: $0) })
        for _ in 0..<5 { puppet.send(.ping(1)) }
        #expect(puppet.reads.count == 3, "they are under way")
        for row in Int64(1)...3 {
            let heads = try #require(puppet.disk.rows[row]).heads
            puppet.handle(.loaded(row: row, heads: heads))
        }
        #expect(puppet.count(.envelope) == 3)
        #expect(puppet.reads.count == 3)
    }

    /// Regression: each envelope of a peer that caught up cost an access to the disk of its own.
    @Test(arguments: [false, true])
    func sessionsAreReadBackTogether(isFeed: Bool) throws {
        let together = 1 + OutgoingFeed.readAhead
        var puppet = evicted(sessions: together + 10, of: table, isMet: isFeed)
        if !isFeed { puppet.meetWithoutCredit() }
        puppet.send(.credit(Credit(envelopeBytes: 1 << 20, blobBytes: 0, names: 1 << 30)))
        if !isFeed { puppet.send(.want(WantList(conversation: 0, entries: puppet.announcements))) }
        #expect(puppet.reads == (1...Int64(together)).map { .session(row: $0) })
        for row in 1...Int64(together) {
            let heads = try #require(puppet.disk.rows[row]).heads
            puppet.handle(.loaded(row: row, heads: heads))
        }
        #expect(puppet.count(.envelope) == together)
        #expect(puppet.reads.count == together + 10)
    }

    /// Envelopes that are read ahead are held in memory beside the cache.
    @Test(arguments: [false, true])
    func longEnvelopesAreReadBackInPortions(isFeed: Bool) throws {
        let url = String(repeating: "x", count: Limits.urlCharacters)
        var puppet = evicted(sessions: 300, url: url, of: table, isMet: isFeed)
        if !isFeed { puppet.meetWithoutCredit() }
        puppet.send(.credit(Credit(envelopeBytes: 4 << 20, blobBytes: 0, names: 1 << 30)))
        if !isFeed { puppet.send(.want(WantList(conversation: 0, entries: puppet.announcements))) }
        let size = try #require(puppet.disk.rows[1]?.heads.first?.envelope?.count)
        let ahead = (OutgoingFeed.readAheadBytes + size - 1) / size
        #expect(ahead < OutgoingFeed.readAhead)
        #expect(puppet.reads.count == 1 + ahead)
    }

    /// Regression: the read of a wanted session and that of the feed waited for one another.
    @Test func wantsAndFeedDoNotDisturbOneAnother() throws {
        var puppet = evicted(sessions: 2, of: table, isMet: true)
        puppet.send(.credit(Credit(envelopeBytes: 1 << 20, blobBytes: 0, names: 1 << 30)))
        let heads = try #require(puppet.disk.rows[1]).heads
        let dot = try #require(heads.first?.dot)
        let tag = try #require(puppet.session?.tag)
        let entry = HaveEntry(position: 0, tag: tag, dot: dot, revision: 1, digestPrefix: 0)
        puppet.send(.want(WantList(conversation: 0, entries: [entry])))
        #expect(puppet.reads == [.session(row: 1), .session(row: 2)])
        puppet.handle(.loaded(row: 1, heads: heads))
        #expect(puppet.count(.envelope) == 2, "one was wanted, the same one is in the feed")
        #expect(puppet.reads == [.session(row: 1), .session(row: 2)])
    }

    /// Regression: a row that is gone was read for ever.
    @Test func lostEnvelopesAreReportedAndPassed() throws {
        var puppet = evicted(sessions: 2, of: table)
        puppet.meetAndSync()
        puppet.send(.want(WantList(conversation: 0, entries: puppet.announcements)))
        puppet.handle(.loaded(row: 1, heads: []))
        let reports = puppet.deliveries.count { if case .damaged = $0 { true } else { false } }
        #expect(reports == 1)
        #expect(puppet.reads == [.session(row: 1), .session(row: 2)])
        puppet.handle(.loaded(row: 2, heads: try #require(puppet.disk.rows[2]).heads))
        #expect(puppet.count(.envelope) == 1)
    }
}

extension Puppet {
    fileprivate mutating func meetWithoutCredit() {
        meet()
        let request = FeedRequest(
            conversation: 0,
            since: .beginning,
            ownIncarnation: 7,
            ownPosition: 0
        )
        send(.feed(request))
        send(.credit(Credit(envelopeBytes: 0, blobBytes: 0, names: 1 << 30)))
    }
}
