import ParleyCore
import ParleyFaults
import Testing

/// A node that comes back goes on where it was: it repeats the doubtful, and never skips.
@Suite struct RestartTests {
    private let table = SimulatedConversation(1)

    private func pair(_ settings: WorldSettings = WorldSettings()) -> World {
        let world = World(nodes: 2, settings)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        return world
    }

    /// An orderly restart of either side sends nothing again.
    @Test(arguments: [0, 1])
    func levelNodesSendNothingAgain(node: Int) {
        let world = pair()
        for number in 0..<10 { world.send("s\(number)", "x", by: number % 2, in: table) }
        world.settle()
        let before = world.trace.crossings.count
        world.stop(node)
        world.run(.milliseconds(100))
        world.start(node)
        world.settle()
        #expect(world.trace.crossings.count == before)
        #expect(world.trace.count(.want) == 0)
        world.send("new", "y", by: 0, in: table)
        world.run(.milliseconds(50))
        #expect(world.trace.crossings.count == before + 1)
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Regression, simulator seed 722044: a session had moved on when a peer confirmed what lay
    /// behind its old position.
    ///
    /// The node was set back to a backup, had the session at its old position again, and did not
    /// send it, as the peer had confirmed so much of that incarnation.
    @Test func copyBeginsItsFeedAnew() throws {
        var puppet = Puppet()
        puppet.meet()
        let incarnation = try #require(
            puppet.frames.compactMap { frame in
                if case .feed(let request) = frame { request.ownIncarnation } else { nil }
            }.first
        )
        for (number, session) in ["s", "t"].enumerated() {
            puppet.handle(.authored([request(UInt64(number), session)]))
        }
        var backup = puppet.disk
        backup.forgetEpoch()
        // "s" moves to 3: now 2 says nothing of it.
        puppet.handle(.authored([request(2, "s")]))
        let cursor = FeedCursor(incarnation: incarnation, position: 2)
        puppet.sync(since: cursor)
        #expect(puppet.announced.count == 1)

        var restored = Puppet(disk: backup, seed: 5)
        restored.meet()
        restored.sync(since: cursor)
        #expect(restored.announced.count == 2)
        var again = Puppet(disk: restored.disk, seed: 6)
        again.meet()
        again.sync(since: cursor)
        #expect(again.announced.count == 2, "also after the next start")
    }

    private func request(_ number: UInt64, _ session: String) -> AuthorRequest {
        AuthorRequest(
            request: RequestID(number),
            conversation: 1,
            body: MessageBody(session: SessionUUID(session: session), place: 0, sentAt: 0)
        )
    }

    /// Only what changed since is sent, from the incarnation in which the cursor was given.
    @Test func resumesInAnOldIncarnation() {
        let world = pair()
        for number in 0..<10 { world.send("s\(number)", "x", by: 0, in: table) }
        world.settle()
        world.stop(1)
        for _ in 0..<3 {
            world.stop(0)
            world.start(0)
            world.run(.milliseconds(50))
        }
        world.send("s3", "changed", by: 0, in: table)
        world.run(.milliseconds(50))
        let before = world.trace.crossings.count
        world.start(1)
        world.settle()
        #expect(world.trace.crossings.dropFirst(before).map(\.tag) == [world.tag("s3", in: table)])
        #expect(world.text("s3", in: table, at: 1) == "changed")
        world.expectSound()
    }

    /// A node whose disk was set back gets again what it had, and its own later messages too.
    @Test func restoredDiskRepeatsAndNeverSkips() {
        let world = World(nodes: 3)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        world.send("s0", "before", by: 0, in: table)
        world.settle()
        let copy = world.nodes[0].disk
        for number in 1..<10 { world.send("s\(number)", "after", by: number % 3, in: table) }
        world.settle()
        world.stop(0)
        world.nodes[0].disk = copy
        world.nodes[0].person.forgetShown()
        world.start(0)
        world.settle()
        #expect(world.text("s9", in: table, at: 0) == "after")
        world.expectEqualHeads(of: table)
        world.send("s0", "and on", by: 0, in: table)
        world.run(.milliseconds(100))
        #expect(world.texts("s0", in: table) == ["and on", "and on", "and on"])
        world.checkCursors()
        world.expectSound()
    }

    /// The other side's disk was set back: its old feed positions mean other changes now.
    @Test func peerWithRestoredDiskSkipsNothing() {
        let world = pair()
        world.send("s0", "before", by: 0, in: table)
        world.settle()
        let copy = world.nodes[0].disk
        for number in 1..<6 { world.send("s\(number)", "lost", by: 0, in: table) }
        world.settle()
        world.cut(0, 1)
        world.stop(0)
        world.nodes[0].disk = copy
        world.nodes[0].person.forgetShown()
        world.start(0)
        world.run(.milliseconds(50))
        for number in 10..<14 { world.send("s\(number)", "new", by: 0, in: table) }
        world.run(.milliseconds(100))
        world.heal(keepsBytes: false)
        world.run(.seconds(3))
        #expect(world.text("s13", in: table, at: 1) == "new")
        #expect(world.text("s5", in: table, at: 0) == "lost")
        // Positions below the old cursor are confirmed too, so that replacements go on.
        for round in 0..<3 {
            world.send("s10", "\(round)", by: 0, in: table)
            world.run(.milliseconds(100))
            #expect(world.text("s10", in: table, at: 1) == "\(round)")
        }
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A crash between the arrival of an envelope and its commit: it comes again.
    @Test func uncommittedEnvelopesComeAgain() {
        let world = pair()
        world.stopCommitting(1)
        world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(100))
        #expect(world.trace.crossings.count == 1)
        world.nodes[1].commits.drop()
        world.crash(1)
        world.start(1)
        world.run(.seconds(1))
        #expect(world.trace.crossings.count == 2)
        #expect(world.text("s", in: table, at: 1) == "x")
        world.expectSound()
    }

    /// The two heads of a conflict: a link that ends between them leaves no gap.
    ///
    /// Only the last of the heads carries the position: here the one that is announced, not pushed.
    @Test func headsOfOneSessionShareOnePosition() {
        let world = World(nodes: 3)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.cut(0, 1)
        world.send("s", "left", by: 0, in: table)
        world.send("s", "right", by: 1, in: table)
        world.run(.milliseconds(100))
        world.heal()
        world.settle()
        world.stop(1)
        world.join(table, [2])
        world.settle()
        let heads = world.trace.crossings.filter { $0.from == 0 && $0.to == 2 }
        #expect(heads.count == 2)
        #expect(heads.allSatisfy { $0.position == 0 }, "the position came with what is announced")
        #expect(world.view("s", in: table, at: 2)?.heads.count == 2)
        world.expectSound()
    }

    /// A session that cannot be read any more is reported and fetched again.
    @Test func damagedSessionsAreFetchedAgain() throws {
        let world = pair()
        for number in 0..<5 { world.send("s\(number)", "x", by: 0, in: table) }
        world.settle()
        world.stop(1)
        world.nodes[1].disk.damage(try #require(world.tag("s2", in: table)))
        world.start(1)
        let reports = world.nodes[1].person.deliveries.count {
            if case .damaged = $0 { true } else { false }
        }
        #expect(reports == 1)
        world.run(.seconds(2))
        #expect(world.text("s2", in: table, at: 1) == "x")
        world.stop(1)
        world.start(1)
        world.settle()
        let later = world.nodes[1].person.deliveries.count {
            if case .damaged = $0 { true } else { false }
        }
        #expect(later == 1, "the row was replaced")
        world.expectEqualHeads(of: table)
    }

    /// Numbers on a damaged disk that leave nothing to count on do not stop the node.
    @Test func numbersOutOfRangeAreNoTrap() {
        let conversation = SimulatedConversation(1)
        let crypto = SimulatedCryptography(seed: 1)
        let device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
        var recovered = RecoveredConversation(
            record: conversation.record(number: 1, role: .writer, device: device)
        )
        recovered.sequencesReservedEnd = .max
        recovered.incarnations = [FeedIncarnation(id: 1, start: .max)]
        recovered.cursors = [device: FeedCursor(incarnation: .max, position: .max)]
        var recovery = Recovery()
        recovery.epoch = Epoch(1)
        recovery.conversations = [recovered]
        var machine = NodeMachine(
            configuration: NodeConfiguration(deviceName: "a", software: "test"),
            crypto: crypto,
            random: SeededRandom(seed: 1),
            recovery: recovery
        )
        for row in [Int64.max, .min, 0] {
            machine.recover(
                SessionRow(
                    row: row,
                    conversation: 1,
                    tag: SessionTag(.zero),
                    position: .max,
                    heads: [],
                    lines: Slice([9])
                )
            )
        }
        let effects = machine.start(at: .start)
        #expect(effects.deliveries.count == 3)
        let request = AuthorRequest(
            request: RequestID(1),
            conversation: 1,
            body: MessageBody(session: SessionUUID(session: "s"), place: 0, sentAt: 0)
        )
        _ = machine.handle(.authored([request]), at: .start)
    }
}
