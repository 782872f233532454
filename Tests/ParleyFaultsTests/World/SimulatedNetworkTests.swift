import ParleyCore
import ParleyFaults
import Testing

/// The network of a world, alone: nodes 0 and 1 with a connection between them.
@Suite struct SimulatedNetworkTests {
    private var network = SimulatedNetwork()
    private var timeline = Timeline(seed: 1)
    private var settings = WorldSettings()
    private let wire: Wire

    init() throws {
        network.addNode(at: "one")
        network.addNode(at: "other")
        let ends = (0...1).map { Wire.End(node: $0, process: 1, link: LinkID(1)) }
        let number = network.open(ends)
        wire = try #require(network.wires[number])
    }

    private mutating func send(_ bytes: Int) {
        let slice = Slice(Array(repeating: 0, count: bytes))
        network.send(slice, on: wire, lane: 0, settings, &timeline)
    }

    /// The milliseconds at which something arrives.
    private mutating func arrivals() -> [Int64] {
        var times: [Int64] = []
        while let event = timeline.next() {
            if case .arrive = event { times.append(timeline.now.milliseconds) }
        }
        return times
    }

    @Test mutating func aNodeKeepsItsAddress() {
        network.addNode(at: "one")
        #expect(network.node(at: "one") == 0)
        #expect(network.node(at: "nobody") == nil)
    }

    @Test mutating func aCutStopsOneDirection() {
        network.change(from: [0], to: [1]) { $0.cuts += 1 }
        #expect(!network.canReach(0, 1))
        #expect(network.isStalled(wire) && network.stalled == [wire.number])
        network.changeAll { $0.cuts = 0 }
        #expect(network.canReach(0, 1) && network.stalled.isEmpty)
        network.change(between: [0, 7], and: [0, 1]) { $0.slowness = 9_000 }
        send(1)
        #expect(arrivals() == [10], "a millisecond and the slowness")
    }

    @Test mutating func bytesTakeTheBandwidth() {
        settings.bandwidth = 100_000
        send(10_000)
        let times = arrivals()
        #expect(times == [21, 41, 61, 81, 101], "pieces of a fiftieth of a second")
    }

    @Test mutating func aDroppedConnectionFreesItsPath() throws {
        settings.bandwidth = 100_000
        send(10_000)
        #expect(arrivals().last == 101)
        timeline = Timeline(seed: 1)
        let number = network.open(wire.ends)
        network.remove(wire.number, settings, at: timeline.now)
        #expect(network.wires.count == 1)
        let slice = Slice(Array(repeating: 0, count: 1_000))
        let later = try #require(network.wires[number])
        network.send(slice, on: later, lane: 0, settings, &timeline)
        #expect(arrivals() == [11])
    }
}
