import ParleyCore
import ParleyFaults
import Testing

/// Nodes that find each other exchange what they have.
@Suite struct MeetingTests {
    private let table = SimulatedConversation(1)

    @Test func twoNodesExchangeAMessage() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.milliseconds(100))
        let request = world.send("s", "hello", by: 0, in: table)
        #expect(world.answer(request) == nil, "nothing is acknowledged before it is on disk")
        world.run(.milliseconds(20))
        #expect(world.texts("s", in: table) == ["hello", "hello"])
        guard case .stored? = world.answer(request) else {
            Issue.record("the author was not answered")
            return
        }
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }
}
