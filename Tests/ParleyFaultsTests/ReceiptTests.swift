import ParleyCore
import ParleyFaults
import Testing

/// Authors hear which devices have their messages, also over relays and in large meshes.
@Suite struct ReceiptTests {
    private static let table = SimulatedConversation(1)

    /// The nodes stand in a row, so that only neighbours have links.
    private static func row(
        _ roles: [Capability.Role],
        in table: SimulatedConversation = table
    ) -> World {
        let world = World()
        for _ in roles { world.addNode() }
        world.watch(with: [ReceiptChecker()])
        for node in roles.indices {
            for other in roles.indices where abs(node - other) > 1 && node < other {
                world.cut(node, other)
            }
        }
        world.introduceAll()
        for (node, role) in roles.enumerated() {
            world.start(node)
            world.join(table, [node], as: role)
        }
        world.run(.seconds(5))
        return world
    }

    /// What the author of a session's message hears, and how many linked nodes have confirmed.
    private static func heard(
        _ session: String,
        by node: Int,
        in world: World,
        _ table: SimulatedConversation = table
    ) -> Int? {
        guard let tag = world.tag(session, in: table),
            let machine = world.nodes[node].machine,
            let number = world.number(of: table, at: node),
            let head = machine.conversation(number)?.session(tag)?.heads.first
        else { return nil }
        return machine.author.receipts.count(of: head.dot, in: number)
    }

    @Test(arguments: [
        Row(roles: [.writer, .writer], count: 1),
        Row(roles: [.writer, .relay], count: 0),
        Row(roles: [.writer, .relay, .writer], count: 1),
        Row(roles: [.writer, .relay, .reader], count: 1),
        Row(roles: [.writer, .relay, .relay, .reader, .writer], count: 2),
        Row(roles: [.writer, .reader, .relay, .writer, .relay, .reader], count: 3),
    ])
    func receiptsGoUpARow(_ row: Row) {
        let world = Self.row(row.roles)
        world.send("s", "x", by: 0, in: Self.table)
        world.run(.seconds(3))
        #expect(Self.heard("s", by: 0, in: world) == row.count)
        world.send("t", "x", by: 0, in: Self.table)
        world.run(.seconds(3))
        #expect(Self.heard("t", by: 0, in: world) == row.count)
        world.expectSound()
    }

    /// Regression: the author knew a device only by messages of it that were not replaced; and in
    /// an open conversation, where nobody has cards, also later.
    @Test(arguments: [false, true]) func whoseMessagesWereReplacedIsCounted(isOpen: Bool) {
        let table = SimulatedConversation(1, isOpen: isOpen)
        let world = Self.row([.writer, .relay, .writer], in: table)
        world.send("s", "one", by: 0, in: table)
        world.run(.seconds(3))
        world.send("s", "two", by: 2, in: table)
        world.run(.seconds(3))
        let late = world.addNode()
        for other in [0, 2] { world.cut(late, other) }
        world.introduceAll()
        world.start(late)
        world.join(table, [late])
        world.run(.seconds(5))
        world.send("t", "x", by: late, in: table)
        world.run(.seconds(30))
        #expect(Self.heard("t", by: late, in: world, table) == 2)
        world.expectSound()
    }

    /// Whoever lost its power, or a link, before its receipt went on sends it again.
    @Test(arguments: [1, 2, 3, 4], [0, 10, 25, 45, 100, 300, 600])
    func aCrashOnTheWayLosesNothing(node: Int, after milliseconds: Int64) {
        let world = Self.row([.writer, .relay, .writer, .relay, .reader])
        world.send("s", "x", by: 0, in: Self.table)
        world.run(.seconds(30))
        world.send("t", "x", by: 0, in: Self.table)
        world.run(.milliseconds(milliseconds))
        world.crash(node, losesPower: true)
        world.run(.seconds(2))
        world.start(node)
        world.run(.seconds(60))
        #expect(Self.heard("s", by: 0, in: world) == 2)
        #expect(Self.heard("t", by: 0, in: world) == 2)
        world.finishObserving()
        world.expectSound()
    }

    /// The author hears after a restart what it had heard before.
    @Test func countsAreOnDisk() {
        let world = Self.row([.writer, .relay, .reader])
        world.send("s", "x", by: 0, in: Self.table)
        world.run(.seconds(3))
        world.crash(2, losesPower: true)
        world.crash(0, losesPower: true)
        world.run(.seconds(1))
        world.start(0)
        world.run(.seconds(1))
        #expect(Self.heard("s", by: 0, in: world) == 1)
    }

    /// A session of 60 messages a second costs no receipts until it is quiet.
    @Test func hotSessionsAreReportedWhenQuiet() {
        let world = Self.row([.writer, .relay, .reader])
        world.send("s", "x", by: 0, in: Self.table)
        world.run(.seconds(20))
        let before = world.trace.count(.receipts)
        for number in 0..<600 {
            world.send("s", "\(number)", by: 0, in: Self.table)
            world.run(.milliseconds(17))
        }
        #expect(world.trace.count(.receipts) - before <= 4)
        world.run(.seconds(2))
        #expect(world.trace.count(.receipts) - before <= 6)
        #expect(Self.heard("s", by: 0, in: world) == 1)
        world.run(.seconds(15))
        world.finishObserving()
        world.expectSound()
    }

    /// A message costs a mesh at most two frames of receipts for each link, usually one a node.
    @Test(arguments: [8, 16, 64])
    func aMeshSendsFewReceipts(nodes: Int) {
        let world = World(settled: nodes, in: Self.table)
        for node in 0..<nodes {
            world.send("settling \(node)", "x", by: node, in: Self.table)
            world.run(.milliseconds(500))
        }
        world.run(.seconds(40))
        world.watch(with: [ReceiptChecker()])
        let links = world.nodes.reduce(0) { $0 + ($1.machine?.links.count ?? 0) } / 2
        for author in stride(from: 0, to: nodes, by: 7) {
            let before = world.trace.count(.receipts)
            world.send("s\(author)", "x", by: author, in: Self.table)
            world.run(.seconds(20))
            let frames = world.trace.count(.receipts) - before
            #expect(frames <= min(2 * links, nodes * 3 / 2), "\(frames) frames, \(links) links")
            #expect(Self.heard("s\(author)", by: author, in: world) == nodes - 1)
        }
    }

    /// The same with a link that is cut while receipts are on their way.
    @Test(arguments: [5, 25, 60, 150, 400, 520])
    func aCutInAMeshLosesNothing(after milliseconds: Int64) {
        let nodes = 33
        let world = World(settled: nodes, in: Self.table)
        for node in 0..<nodes {
            world.send("settling \(node)", "x", by: node, in: Self.table)
            world.run(.milliseconds(200))
        }
        world.run(.seconds(20))
        world.watch(with: [ReceiptChecker()])
        let links = world.nodes.reduce(0) { $0 + ($1.machine?.links.count ?? 0) } / 2
        let before = world.trace.count(.receipts)
        world.send("s", "x", by: 0, in: Self.table)
        world.run(.milliseconds(milliseconds))
        for other in 1..<nodes where other % 5 == 0 { world.strike(.reset(0, other)) }
        world.run(.seconds(20))
        world.send("t", "x", by: 0, in: Self.table)
        world.run(.seconds(25))
        #expect(world.trace.count(.receipts) - before <= 4 * links)
        #expect(Self.heard("t", by: 0, in: world) == nodes - 1)
        #expect(Self.heard("s", by: 0, in: world) == nodes - 1)
    }

    struct Row: Sendable {
        let roles: [Capability.Role]
        let count: Int
    }
}

extension World {
    fileprivate func expectSound(_ location: SourceLocation = #_sourceLocation) {
        let found = failures.map(\.what) + problems
        #expect(found.isEmpty, "\(found)", sourceLocation: location)
    }
}
