import ParleyCore
import Testing

/// `Tests/Vectors/register.json`: histories of a session and the heads that are left.
@Suite struct RegisterVectorTests {
    private let world = World()

    @Test func reproducesTheFile() throws {
        let computed = try RegisterVectors(world)
        let stored = try VectorFile<RegisterVectors>(name: "register.json")
            .read(writing: computed)
        for (left, right) in zip(stored.histories, computed.histories) { #expect(left == right) }
        #expect(stored.histories.count == computed.histories.count)
    }

    @Test func honestHistoriesEndTheSameInEveryOrder() throws {
        for history in try RegisterVectors(world).histories where history.isOrderFree {
            let heads = try RegisterVectors.merge(history.envelopes).heads
            for turn in history.envelopes.indices {
                let turned = Array(history.envelopes[turn...] + history.envelopes[..<turn])
                #expect(try RegisterVectors.merge(turned).heads == heads, "\(history.name)")
                let back = Array(turned.reversed())
                #expect(try RegisterVectors.merge(back).heads == heads, "\(history.name)")
            }
        }
    }

    @Test func aLiarsHistoryDoesNot() throws {
        for history in try RegisterVectors(world).histories where !history.isOrderFree {
            let forward = try RegisterVectors.merge(history.envelopes).heads
            let back = try RegisterVectors.merge(history.envelopes.reversed()).heads
            #expect(forward != back, "\(history.name)")
        }
    }
}
