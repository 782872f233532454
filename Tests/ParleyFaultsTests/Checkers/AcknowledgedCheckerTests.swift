import ParleyCore
import ParleyFaults
import Testing

/// Faults excuse the absence of those acknowledged messages that they had to cost, and of no
/// others.
@Suite struct AcknowledgedCheckerTests {
    private let table = SimulatedConversation(1)

    /// Nodes of one conversation under the eyes of the checker; each wrote in a session of its own.
    private func watchedWorld(nodes: Int = 2) -> World {
        let world = World()
        let ledger = Ledger()
        world.watch(with: [ledger, AcknowledgedChecker(ledger)])
        for _ in 0..<nodes { world.addNode() }
        world.introduceAll()
        for node in world.nodes.indices { world.start(node) }
        world.join(table, Array(world.nodes.indices))
        world.run(.milliseconds(500))
        for node in world.nodes.indices { world.send("own \(node)", "x", by: node, in: table) }
        world.run(.seconds(1))
        return world
    }

    private func dot(_ session: String, at node: Int, in world: World) throws -> Dot {
        let view = try #require(world.view(session, in: table, at: node))
        return try #require(view.heads.first).dot
    }

    private func isKept(_ dot: Dot, of session: String, at node: Int, in world: World) throws
        -> Bool
    {
        let tag = try #require(world.tag(session, in: table))
        return world.nodes[node].disk.keeps(dot, tag: tag, table.id)
    }

    /// Takes a session from a disk, as only a mistake of the core could.
    private func vanish(_ session: String, from node: Int, in world: World) throws {
        world.nodes[node].disk.lose(try #require(world.tag(session, in: table)))
    }

    /// The promises that the checker reports as broken when the run ends.
    private func verdict(of world: World) -> Set<Promise> {
        world.finishObserving()
        return Set(world.failures.map(\.promise))
    }

    /// A session of which no disk ever had a message is judged as well.
    @Test func firstMessageThatWasNeverStoredIsMissed() {
        let world = World()
        let ledger = Ledger()
        world.watch(with: [ledger, AcknowledgedChecker(ledger)])
        world.addNode()
        let mutant = Mutant.all.first { $0.name == "storesNoSession" }
        #expect(mutant != nil)
        world.nodes[0].mutant = mutant
        world.start(0)
        world.join(table, [0])
        world.send("own", "x", by: 0, in: table)
        world.run(.seconds(1))
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    // MARK: Unnoticed restores

    /// Writes the shown message of a session anew on all disks, with an empty context.
    private func forgetContext(of session: String, by node: Int, in world: World) throws {
        var author = SimulatedAuthor(crypto: world.nodes[node].crypto, table: table)
        author.epoch = try #require(world.nodes[node].disk.epoch)
        let shown = try dot(session, at: node, in: world)
        #expect(shown.origin == author.origin)
        let header = author.header(session, shown.sequence, revision: 9)
        let envelope = author.envelope(header, session: session, text: "blind")
        for other in world.nodes.indices {
            let rows = world.nodes[other].disk.sortedRows
            let row = try #require(rows.first { $0.tag == header.tag })
            let changed = SessionRow(
                row: row.row,
                conversation: row.conversation,
                tag: row.tag,
                position: row.position,
                heads: [StoredHead(dot: shown, envelope: envelope)],
                lines: row.lines
            )
            world.nodes[other].disk.apply([.session(changed)])
        }
    }

    /// The node goes on in a session in which it had lost nothing.
    @Test func restoreThatLostNothingExcusesNothing() throws {
        let world = watchedWorld()
        world.send("s", "first", by: 1, in: table)
        world.run(.seconds(1))
        world.strike(.backup(node: 0))
        world.strike(.restore(node: 0, inPlace: true))
        world.run(.seconds(3))
        world.send("s", "second", by: 0, in: table)
        world.run(.seconds(1))
        #expect(world.texts("s", in: table) == ["second", "second"])
        try forgetContext(of: "s", by: 0, in: world)
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    /// Set back to before it replaced a message, the node replaces its own answer without knowing
    /// it, and what that had replaced is nowhere.
    @Test func restoreExcusesWhatTheLostMessageReplaced() throws {
        let world = watchedWorld()
        world.strike(.backup(node: 0))
        world.send("s", "first", by: 1, in: table)
        world.run(.seconds(1))
        let first = try dot("s", at: 1, in: world)
        world.send("s", "second", by: 0, in: table)
        world.run(.seconds(1))
        #expect(world.texts("s", in: table) == ["second", "second"])
        world.isolate([0])
        world.strike(.restore(node: 0, inPlace: true))
        world.run(.seconds(1))
        goOnBlindly(by: 0, in: world)
        world.quiesce(keepsBytes: false)
        world.run(.seconds(150))
        #expect(world.texts("s", in: table) == ["blind 3", "blind 3"])
        #expect(try !isKept(first, of: "s", at: 1, in: world), "it is really lost")
        #expect(verdict(of: world) == [])
    }

    /// Writes so often that the last message has a higher revision than those it does not know.
    private func goOnBlindly(by node: Int, in world: World) {
        for number in 1...3 {
            world.send("s", "blind \(number)", by: node, in: table)
            world.run(.seconds(1))
        }
    }

    /// A copy of the data directory that goes on under the same origin does the same.
    @Test func cloneExcusesWhatItsOriginalReplaced() throws {
        let world = watchedWorld()
        world.strike(.clone(node: 0, inPlace: true))
        world.isolate([2])
        world.send("s", "first", by: 1, in: table)
        world.run(.seconds(1))
        let first = try dot("s", at: 1, in: world)
        world.send("s", "second", by: 0, in: table)
        world.run(.seconds(1))
        goOnBlindly(by: 2, in: world)
        #expect(world.texts("s", in: table) == ["second", "second", "blind 3"])
        world.quiesce(keepsBytes: false)
        world.run(.seconds(150))
        #expect(try !isKept(first, of: "s", at: 1, in: world), "it is really lost")
        #expect(verdict(of: world) == [])
    }

    // MARK: Lost and damaged sessions

    /// The message is still on another disk, so everybody has it in the end.
    @Test func lostSessionIsExpectedIfAnotherDiskHasIt() throws {
        let world = watchedWorld()
        try loseOwnSession(in: world)
        world.run(.seconds(150))
        #expect(try isKept(dot("own 0", at: 1, in: world), of: "own 0", at: 0, in: world))
        try vanish("own 0", from: 1, in: world)
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    /// Other sessions of the same author are not excused.
    @Test func lostSessionExcusesNoOther() throws {
        let world = watchedWorld()
        world.send("s", "x", by: 0, in: table)
        world.run(.seconds(1))
        try loseOwnSession(in: world)
        for node in 0...1 { try vanish("s", from: node, in: world) }
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    @Test func messageThatWasOnTheLostDiskOnlyIsExcused() throws {
        let world = watchedWorld()
        world.isolate([0])
        world.send("own 0", "y", by: 0, in: table)
        world.run(.seconds(1))
        try loseOwnSession(in: world)
        world.quiesce(keepsBytes: false)
        world.run(.seconds(150))
        #expect(verdict(of: world) == [])
    }

    /// The disk of node 1 has a row that it cannot decode, and node 0 loses its own: so nobody has
    /// the message any more. (Seed 6001126.)
    @Test func damagedRowIsNoCopy() throws {
        let world = watchedWorld()
        for node in 0...1 { world.isolate([node]) }
        world.strike(.damagedRow(node: 1, pick: try pick("own 0", at: 1, in: world)))
        try loseOwnSession(in: world)
        world.quiesce(keepsBytes: false)
        world.run(.seconds(150))
        #expect(world.texts("own 0", in: table).allSatisfy { $0 == nil })
        #expect(verdict(of: world) == [])
    }

    /// Any disk has to keep what it has, not only that of the author.
    @Test func otherDisksKeepTheMessage() throws {
        let world = watchedWorld()
        try vanish("own 0", from: 1, in: world)
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    /// A fault excuses that a disk loses a message, but not that it is still missing in the end.
    @Test func lostSessionHasToComeBack() throws {
        let world = watchedWorld()
        for node in 0...1 { world.isolate([node]) }
        world.strike(.lostRow(node: 1, pick: try pick("own 0", at: 1, in: world)))
        world.run(.seconds(1))
        #expect(world.failures == [])
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    /// It is noticed at the next start, before another node can send the message again.
    @Test func messageThatVanishedIsMissedAtTheNextStart() throws {
        let world = watchedWorld()
        world.crash(0)
        try vanish("own 0", from: 0, in: world)
        world.start(0)
        #expect(world.failures.map(\.promise) == [AcknowledgedChecker.promise])
    }

    /// The disk of node 0 has lost another session than the one in which it goes on blindly.
    @Test func lostSessionExcusesNoBlindReplacementInAnother() throws {
        let world = watchedWorld()
        world.send("s", "first", by: 1, in: table)
        world.run(.seconds(1))
        world.send("s", "second", by: 0, in: table)
        world.run(.seconds(1))
        world.isolate([0])
        try loseOwnSession(in: world)
        world.run(.seconds(1))
        try forgetContext(of: "s", by: 0, in: world)
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    /// Node 0 loses the session that it alone writes in.
    private func loseOwnSession(in world: World) throws {
        world.strike(.lostRow(node: 0, pick: try pick("own 0", at: 0, in: world)))
    }

    /// The number by which a fault selects a session of a disk.
    private func pick(_ session: String, at node: Int, in world: World) throws -> UInt64 {
        let tag = try #require(world.tag(session, in: table))
        let rows = world.nodes[node].disk.sortedRows
        return UInt64(try #require(rows.firstIndex { $0.tag == tag }))
    }

    // MARK: Leaving

    @Test func leavingExcusesOnlyWhatNobodyElseHas() throws {
        let world = watchedWorld(nodes: 3)
        world.leave(table, 0)
        world.run(.seconds(1))
        for node in 1...2 { try vanish("own 0", from: node, in: world) }
        #expect(verdict(of: world) == [AcknowledgedChecker.promise])
    }

    @Test func leavingExcusesWhatNobodyElseHas() throws {
        let world = watchedWorld(nodes: 3)
        world.isolate([0])
        world.send("own 0", "y", by: 0, in: table)
        world.run(.seconds(1))
        world.leave(table, 0)
        world.run(.seconds(1))
        world.quiesce(keepsBytes: false)
        world.run(.seconds(30))
        #expect(verdict(of: world) == [])
    }
}
