import ParleyCore
import ParleyFaults
import Testing

/// Neighbours in the ring of the members.
struct RingNeighboursTests {
    private let devices = (1...6).map { DeviceID(seed: $0) }.sorted()

    @Test(arguments: [
        Example(own: 0, members: [], neighbours: []),
        Example(own: 0, members: [3], neighbours: [3]),
        Example(own: 0, members: [3, 4], neighbours: [4, 3]),
        Example(own: 2, members: [0, 1, 3, 5], neighbours: [1, 3]),
        Example(own: 5, members: [1, 2, 4], neighbours: [4, 1]),
        Example(own: 0, members: [1, 2, 4], neighbours: [4, 1]),
        Example(own: 2, members: [2, 3, 3], neighbours: [3]),
    ])
    func theNearestOnEitherSide(_ example: Example) {
        let ring = Ring(of: devices[example.own], and: example.members.map { devices[$0] })
        #expect(ring.neighbours == example.neighbours.map { devices[$0] })
    }

    struct Example: Sendable {
        let own: Int
        let members: [Int]
        let neighbours: [Int]
    }

    /// In a full mesh everybody is the neighbour of two others.
    @Test func everybodyHasTwo() {
        for device in devices {
            let chosen = devices.filter { Ring(of: $0, and: devices).neighbours.contains(device) }
            #expect(chosen.count == 2)
        }
    }
}
