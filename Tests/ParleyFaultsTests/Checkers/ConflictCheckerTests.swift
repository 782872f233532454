import ParleyCore
import ParleyFaults
import Testing

/// Conflicts are to be reported, but not again by the next process.
@Suite struct ConflictCheckerTests {
    private let table = SimulatedConversation(1)
    private let world = World(nodes: 2)

    /// The row of a session in conflict, on the disk of node 0.
    private func conflict() throws -> SessionRow {
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.isolate([0])
        for node in 0...1 { world.send("s", "\(node)", by: node, in: table) }
        world.run(.seconds(1))
        world.heal()
        world.run(upTo: .seconds(60)) { $0.agreement.isConverged }
        world.run(.seconds(1))
        return try #require(world.nodes[0].disk.rows.values.first { $0.heads.count == 2 })
    }

    /// How many conflicts are missed if a row is written, and nothing is reported.
    private func missed(_ row: SessionRow, besides event: WorldEvent? = nil) -> Int {
        var checker = ConflictChecker(Ledger())
        if let event { checker.observe(event, in: world) }
        let persist = Persist(ticket: Ticket(1), writes: [.session(row)])
        checker.observe(.persisted(node: 0, persist), in: world)
        checker.finish(in: world)
        return world.failures.count { $0.promise == ConflictChecker.promise }
    }

    @Test func aConflictWithoutReportIsFound() throws {
        #expect(missed(try conflict()) == 1)
    }

    /// Regression: a late addition let a message of a game be judged anew after a restart, so that
    /// the row of a known conflict was written again.
    @Test func aConflictFoundOnDiskNeedsNoReport() throws {
        #expect(missed(try conflict(), besides: .started(node: 0)) == 0)
    }
}
