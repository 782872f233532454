import ParleyCore
import ParleyFaults
import Testing

/// The links that follow from the ring of the members of a conversation.
@Suite struct RingTests {
    /// Devices in the order of their IDs.
    private static func devices(_ count: Int) -> [DeviceID] {
        (0..<count).map { DeviceID(Bytes32(UInt64($0) << 32, 0, 0, 0)) }
    }

    /// The numbers of the devices to which each of `count` members keeps links.
    private static func graph(_ count: Int, wasPartial: Bool = false) -> [[Int]] {
        let devices = devices(count)
        let numbers = Dictionary(uniqueKeysWithValues: zip(devices, devices.indices))
        return devices.map { own in
            Ring(of: own, and: devices).wanted(wasPartial: wasPartial).compactMap { numbers[$0] }
        }
    }

    struct Example: Sendable {
        let count: Int
        let own: Int
        var wasPartial = false
        let wanted: [Int]
    }

    @Test(arguments: [
        Example(count: 1, own: 0, wanted: []),
        Example(count: 2, own: 1, wanted: [0]),
        Example(count: 5, own: 3, wanted: [0, 1, 2, 4]),
        Example(count: 13, own: 0, wanted: Array(1...12)),
        Example(count: 14, own: 0, wanted: [1, 4, 10, 13]),
        Example(count: 14, own: 12, wanted: [2, 8, 11, 13]),
        Example(count: 9, own: 0, wasPartial: true, wanted: Array(1...8)),
        Example(count: 10, own: 0, wasPartial: true, wanted: [1, 4, 6, 9]),
        Example(count: 32, own: 0, wanted: [1, 4, 16, 28, 31]),
        Example(count: 64, own: 1, wanted: [0, 2, 5, 17, 49, 61]),
    ])
    func wantedMembers(_ example: Example) {
        let graph = Self.graph(example.count, wasPartial: example.wasPartial)
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
            let graph = Self.graph(count)
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
            let graph = Self.graph(count)
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
