import ParleyCore
import ParleyFaults
import Testing

/// Checkers see what they watch, and nothing else.
@Suite struct ObserversTests {
    private final class Everything: Checker {
        var heard: [WorldEvent.Kinds] = []

        func observe(_ event: WorldEvent, in world: World) { heard.append(event.kind) }
    }

    private final class FaultsAndTheEnd: Checker {
        static let watches: WorldEvent.Kinds = [.faults, .ending]
        var heard: [WorldEvent.Kinds] = []

        func observe(_ event: WorldEvent, in world: World) { heard.append(event.kind) }
    }

    @Test func onlyWhatIsWatchedIsTold() {
        var settings = WorldSettings()
        // So little that a node asks to hear when it is gone.
        settings.limits.outboxBytes = 400
        let world = World(nodes: 2, settings)
        let table = SimulatedConversation(1)
        let all = Everything()
        let some = FaultsAndTheEnd()
        world.watch(with: [some, all])
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.send("s", "x", by: 0, in: table)
        world.run(.seconds(1))
        world.strike(.restart(node: 1, down: .milliseconds(100)))
        world.run(.seconds(1))
        world.quiesce()
        #expect(some.heard == [.faults, .ending])
        #expect(all.heard.filter { [.faults, .ending].contains($0) } == some.heard)
        let kinds = all.heard.reduce(into: WorldEvent.Kinds()) { $0.insert($1) }
        #expect(kinds == WorldEvent.Kinds.all.subtracting(.intrusions))
    }

    @Test func eachKindIsOneBit() {
        let kinds: [WorldEvent.Kinds] = [
            .processes, .links, .received, .drained, .authored, .otherInputs, .answered,
            .persisted, .sent, .delivered, .membership, .intrusions, .faults, .ending,
        ]
        #expect(kinds.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
        #expect(WorldEvent.Kinds(kinds) == .all)
        #expect(Set(kinds.map(\.rawValue)).count == kinds.count)
    }
}
