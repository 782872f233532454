import ParleyCore
import ParleyFaults
import Testing

/// A node that was away gets the changed sessions, each once.
@Suite struct CatchUpTests {
    private let table = SimulatedConversation(1)

    /// Two nodes write 1,000 messages in 100 sessions while the third is stopped.
    @Test func eachChangedSessionOnce() {
        let world = World(nodes: 3)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        for session in 0..<100 { world.send("s\(session)", "0", by: session % 3, in: table) }
        world.settle()
        world.stop(2)
        world.run(.milliseconds(100))
        for round in 1...10 {
            for session in 0..<100 {
                world.send("s\(session)", "\(round)", by: (session + round) % 2, in: table)
            }
            world.run(.milliseconds(100))
        }
        let before = world.trace.crossings.count
        world.start(2)
        let isLevel = world.run(upTo: .seconds(2)) { world in
            (0..<100).allSatisfy { world.text("s\($0)", in: table, at: 2) == "10" }
        }
        #expect(isLevel)
        world.settle()
        let received = world.trace.crossings.dropFirst(before).filter { $0.to == 2 }
        #expect(received.count == 100)
        #expect(Set(received.map(\.tag)).count == 100)
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Regression: a newcomer had confirmed a part of the first window of announcements, and was
    /// not asked to confirm the rest, so that no more came.
    @Test func aLongReplayOfOthersArrives() {
        let world = World(nodes: 3)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        for session in 0..<1_500 { world.send("s\(session)", "x", by: 1, in: table) }
        world.settle()
        world.stop(1)
        world.join(table, [2])
        let isLevel = world.run(upTo: .seconds(20)) { world in
            world.nodes[2].machine?.conversation(1)?.sessionCount == 1_500
        }
        #expect(isLevel)
        world.start(1)
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Regression: on a link that was silent everything of the time between was pushed by all who
    /// had it as soon as it answered, and asked of them before the author had a chance.
    @Test(arguments: [Int64(0), 5, 50, 200])
    func silentLinkGetsEachSessionOnce(authorLater: Int64) {
        let world = World(nodes: 3)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        for session in 0..<20 { world.send("s\(session)", "0", by: 0, in: table) }
        world.settle()
        world.isolate([2])
        // Long enough to be suspected, too short to be given up.
        world.run(.seconds(8))
        for session in 0..<20 { world.send("s\(session)", "1", by: 0, in: table) }
        world.run(.milliseconds(500))
        let before = world.trace.crossings.count
        world.mend(1, 2)
        world.run(.milliseconds(authorLater))
        world.mend(0, 2)
        world.run(.seconds(3))
        #expect((0..<20).allSatisfy { world.text("s\($0)", in: table, at: 2) == "1" })
        let received = world.trace.crossings.dropFirst(before).filter { $0.to == 2 }
        #expect(received.count == 20)
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }
}
