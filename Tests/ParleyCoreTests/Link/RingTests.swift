import ParleyCore
import ParleyFaults
import Testing

/// The links that follow from the ring of the members of a conversation.
@Suite struct RingTests {
    /// Devices in the order of their IDs, of which these numbers need the further fingers before
    /// them, and the others those after them.
    private static func devices(_ count: Int, needBefore: Set<Int> = []) -> [DeviceID] {
        (0..<count).map { number in
            DeviceID(Bytes32(UInt64(number) << 32 | (needBefore.contains(number) ? 1 : 0), 0, 0, 0))
        }
    }

    /// The numbers of the devices to which each of `count` members keeps links.
    private static func graph(
        _ count: Int,
        needBefore: Set<Int> = [],
        wasPartial: Bool = false
    ) -> [[Int]] {
        let devices = devices(count, needBefore: needBefore)
        let numbers = Dictionary(uniqueKeysWithValues: zip(devices, devices.indices))
        return devices.map { own in
            Ring(of: own, and: devices).wanted(wasPartial: wasPartial).compactMap { numbers[$0] }
        }
    }

    /// The same with members as they are: each needs the fingers on one side or the other.
    private static func mixedGraph(_ count: Int) -> [[Int]] {
        var random = SeededRandom(seed: UInt64(count))
        let needBefore = (0..<count).filter { _ in random.chance(1, in: 2) }
        return graph(count, needBefore: Set(needBefore))
    }

    struct Example: Sendable {
        let count: Int
        let own: Int
        var needBefore: Set<Int> = []
        var wasPartial = false
        let wanted: [Int]
    }

    @Test(arguments: [
        Example(count: 1, own: 0, wanted: []),
        Example(count: 2, own: 1, wanted: [0]),
        Example(count: 5, own: 3, wanted: [0, 1, 2, 4]),
        Example(count: 8, own: 0, wanted: Array(1...7)),
        Example(count: 9, own: 0, wanted: [1, 4, 5, 8]),
        Example(count: 13, own: 12, wanted: [0, 3, 8, 11]),
        Example(count: 14, own: 0, wanted: [1, 4, 10, 13]),
        Example(count: 14, own: 12, wanted: [2, 8, 11, 13]),
        Example(count: 7, own: 0, wasPartial: true, wanted: Array(1...6)),
        Example(count: 8, own: 0, wasPartial: true, wanted: [1, 4, 7]),
        Example(count: 32, own: 0, wanted: [1, 4, 16, 28, 31]),
        Example(count: 32, own: 16, needBefore: [16], wanted: [0, 12, 15, 17, 20]),
        Example(count: 64, own: 1, wanted: [0, 2, 5, 17, 49, 61]),
        Example(count: 64, own: 1, needBefore: [49], wanted: [0, 2, 5, 17, 61]),
        Example(count: 64, own: 1, needBefore: [1], wanted: [0, 2, 5, 49, 61]),
        Example(count: 64, own: 1, needBefore: [1, 17, 49], wanted: [0, 2, 5, 17, 49, 61]),
    ])
    func wantedMembers(_ example: Example) {
        let graph = Self.graph(
            example.count,
            needBefore: example.needBefore,
            wasPartial: example.wasPartial
        )
        #expect(graph[example.own].sorted() == example.wanted)
    }

    @Test func orderAndRepetitionDoNotMatter() {
        let devices = Self.devices(40)
        let expected = Ring(of: devices[7], and: devices)
        #expect(Ring(of: devices[7], and: devices.reversed()) == expected)
        #expect(Ring(of: devices[7], and: devices + devices) == expected)
        #expect(Ring(of: devices[7], and: devices.filter { $0 != devices[7] }) == expected)
    }

    /// Both sides of a link want it, nobody has more than 12, and each is reached over few links.
    @Test func everyMeshIsEvenAndShallow() {
        for count in Array(1...40) + [64, 65, 100, 128, 256] {
            let graph = Self.mixedGraph(count)
            for (own, wanted) in graph.enumerated() {
                #expect(Set(wanted).count == wanted.count && !wanted.contains(own))
                #expect(wanted.allSatisfy { graph[$0].contains(own) }, "\(own) of \(count)")
                #expect(wanted.count <= (count <= 64 ? 12 : 8))
            }
            let depths = Self.depths(from: 0, in: graph, without: [])
            #expect(depths.compactMap(\.self).count == count, "\(count) are connected")
            #expect(depths.compactMap(\.self).max() ?? 0 < Limits.hops)
        }
    }

    /// A message crosses each link, on those of a tree as an envelope and its confirmation, on all
    /// others as an entry: together less than four frames for each member.
    @Test func messagesCostFewFrames() {
        for count in 9...64 {
            let graph = Self.mixedGraph(count)
            let links = graph.reduce(0) { $0 + $1.count } / 2
            #expect(2 * (count - 1) + links - (count - 1) <= 4 * count - count / 10, "\(count)")
            #expect(graph.allSatisfy { $0.count >= (count < 32 ? 4 : 5) }, "\(count)")
        }
    }

    /// No three members keep the others from one another, nor do most thirds of them, even before
    /// anybody has chosen anew.
    @Test func membersThatAreGoneDoNotSplitIt() {
        let graph = Self.graph(20)
        for one in 0..<18 {
            for two in one + 1..<19 {
                for three in two + 1..<20 {
                    #expect(Self.isConnected(graph, without: [one, two, three]))
                }
            }
        }
        var random = SeededRandom(seed: 8)
        for count in [32, 64, 128] {
            let graph = Self.mixedGraph(count)
            let whole = (0..<100).count { _ in
                let gone = Set((0..<count).shuffled(using: &random).prefix(count / 3))
                return Self.isConnected(graph, without: gone)
            }
            #expect(whole >= 80, "of \(count)")
        }
    }

    private static func isConnected(_ graph: [[Int]], without gone: Set<Int>) -> Bool {
        guard let first = graph.indices.first(where: { !gone.contains($0) }) else { return true }
        let depths = depths(from: first, in: graph, without: gone)
        return depths.compactMap(\.self).count == graph.count - gone.count
    }

    /// Over how many links each member is reached, nil if it is not.
    private static func depths(
        from start: Int,
        in graph: [[Int]],
        without gone: Set<Int>
    ) -> [Int?] {
        var depths: [Int?] = Array(repeating: nil, count: graph.count)
        depths[start] = 0
        var front = [start]
        var depth = 0
        while !front.isEmpty {
            depth += 1
            var next: [Int] = []
            for member in front.flatMap({ graph[$0] })
            where depths[member] == nil && !gone.contains(member) {
                depths[member] = depth
                next.append(member)
            }
            front = next
        }
        return depths
    }
}
