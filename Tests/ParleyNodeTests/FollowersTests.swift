import ParleyNode
import Testing

/// What listeners get of the events of a node.
@Suite struct FollowersTests {
    private var followers = Followers()

    /// The event with this number.
    private func event(_ number: Int) -> NodeEvent {
        .peerChanged(device: "\(number)", isConnected: true)
    }

    private mutating func follow() -> NodeEvents {
        let (events, continuation) = NodeEvents.make()
        _ = followers.add(continuation)
        return events
    }

    private func numbers(_ events: NodeEvents) async -> [Int] {
        await events.reduce(into: []) { numbers, event in
            guard case .peerChanged(let number, _) = event else { return }
            numbers.append(Int(number) ?? -1)
        }
    }

    @Test mutating func eventsOfStepsAndBetweenThemComeInOrder() async {
        let (first, second) = (follow(), follow())
        followers.emit(event(0))
        followers.gather()
        for number in 1...600 { followers.emit(event(number)) }
        followers.emitGathered()
        followers.emit(event(601))
        followers.gather()
        followers.emit(event(602))
        followers.finish()
        #expect(await numbers(first) == Array(0...602))
        #expect(await numbers(second) == Array(0...602))
    }

    @Test(arguments: [1, 3, 256]) mutating func whoIsTooSlowLosesTheStream(together: Int) async {
        let events = follow()
        var count = 0
        while !followers.isEmpty, count < 100_000 {
            followers.gather()
            for _ in 0..<together {
                followers.emit(event(count))
                count += 1
            }
            followers.emitGathered()
        }
        #expect(followers.isEmpty)
        #expect((16_384...16_384 + together).contains(count))
        // What waited until then is not lost.
        #expect(await numbers(events).count >= 16_384)
    }

    @Test mutating func whoKeepsUpStays() async {
        let events = follow()
        var iterator = events.makeAsyncIterator()
        var heard = 0
        for number in 0..<20_000 {
            followers.gather()
            followers.emit(event(2 * number))
            followers.emit(event(2 * number + 1))
            followers.emitGathered()
            for _ in 0..<2 where await iterator.next() != nil { heard += 1 }
        }
        #expect(heard == 40_000)
        #expect(!followers.isEmpty)
    }

    @Test mutating func whoListensToAStoppedNodeHearsTheEnd() async {
        followers.finish()
        let events = follow()
        #expect(followers.isEmpty)
        #expect(await numbers(events) == [])
    }
}
