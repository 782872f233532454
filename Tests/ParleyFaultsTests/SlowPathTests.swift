import ParleyCore
import ParleyFaults
import Testing

/// A way with little bandwidth brings bytes evenly, and none before its time.
@Suite struct SlowPathTests {
    /// Bytes a second.
    private static let rate = 32_000

    private let table = SimulatedConversation(1)

    /// The bytes that the second node received, with their times.
    private final class Arrivals: Checker {
        static let watches: WorldEvent.Kinds = .received
        var all: [(time: Moment, bytes: Int)] = []

        func observe(_ event: WorldEvent, in world: World) {
            guard case .input(1, .received(_, let bytes)) = event else { return }
            all.append((world.now, bytes.count))
        }
    }

    /// Two nodes that have met, and what comes to the second.
    private func slowWorld(cutsBytes: Bool = true) -> (world: World, arrivals: Arrivals) {
        var settings = WorldSettings()
        settings.cutsBytes = cutsBytes
        settings.bandwidth = Self.rate
        let world = World(nodes: 2, settings)
        let arrivals = Arrivals()
        world.watch(with: [arrivals])
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        return (world, arrivals)
    }

    @Test(arguments: [true, false])
    func bytesPassEvenly(cutsBytes: Bool) throws {
        let (world, arrivals) = slowWorld(cutsBytes: cutsBytes)
        let begin = world.now
        let count = arrivals.all.count
        let text = String(repeating: "t", count: 500)
        for number in 0..<200 { world.send("s\(number)", text, by: 0, in: table) }
        world.run(.seconds(30))

        let came = arrivals.all.dropFirst(count).filter { $0.bytes > 100 }
        var bytes = 0
        for (index, arrival) in came.enumerated() {
            bytes += arrival.bytes
            let time = (arrival.time - begin).milliseconds
            // Bytes that are due within 5 ms may arrive together with those that are due now.
            let most = Self.rate * Int(time + 5) / 1_000
            #expect(bytes <= most, "after \(time) ms")
            guard index > 0, index + 1 < came.count else { continue }
            let gap = arrival.time - came[came.startIndex + index - 1].time
            #expect(gap <= .milliseconds(100), "after \(time) ms")
        }
        #expect(bytes > 64 << 10)
        #expect(world.text("s199", in: table, at: 1) == text)
    }

    /// Regression, from seed 5133146: what was on its way of a connection that was gone kept the
    /// way from the next one, until that was taken for dead.
    @Test func droppedBytesLeaveThePathFree() throws {
        let (world, arrivals) = slowWorld()
        let text = String(repeating: "t", count: 500)
        for number in 0..<400 { world.send("s\(number)", text, by: 0, in: table) }
        world.run(.milliseconds(100))
        world.strike(.reset(0, 1))
        let count = arrivals.all.count
        let begin = world.now
        world.run(upTo: .seconds(10)) { _ in arrivals.all.count > count }
        #expect(world.now - begin < .seconds(1), "they meet anew")
    }

    /// Bytes that have passed a slow path, and are only delayed, take it up no more.
    @Test func delayedBytesDoNotTakeUpThePath() {
        var lane = WireLane()
        let now = Moment.start + .seconds(1)
        let bytes = Wire.Item.bytes(Slice([UInt8](repeating: 1, count: 1_000)))
        let arrival = now + .seconds(2)
        lane.add(bytes, passed: Moment.start + .milliseconds(900), arriving: arrival)
        lane.add(bytes, passed: now + .milliseconds(40), arriving: arrival)
        lane.add(bytes, passed: now + .milliseconds(140), arriving: arrival)
        // At 100 ms for each: nothing of the first one, 40 ms of the second, all of the third.
        #expect(lane.remainder(after: now, bytesPerSecond: 10_000) == .milliseconds(140))
    }
}
