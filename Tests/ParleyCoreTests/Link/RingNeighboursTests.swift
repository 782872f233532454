import ParleyCore
import ParleyFaults
import Testing

/// Neighbours in the ring of the members.
struct LinkTableNeighboursTests {
    private let devices = (1...6).map { DeviceID(seed: $0) }.sorted()

    @Test(arguments: [
        Ring(own: 0, members: [], neighbours: []),
        Ring(own: 0, members: [3], neighbours: [3]),
        Ring(own: 0, members: [3, 4], neighbours: [4, 3]),
        Ring(own: 2, members: [0, 1, 3, 5], neighbours: [1, 3]),
        Ring(own: 5, members: [1, 2, 4], neighbours: [4, 1]),
        Ring(own: 0, members: [1, 2, 4], neighbours: [4, 1]),
        Ring(own: 2, members: [2, 3, 3], neighbours: [3]),
    ])
    func theNearestOnEitherSide(_ ring: Ring) {
        let neighbours = LinkTable.neighbours(
            of: devices[ring.own],
            among: ring.members.map { devices[$0] }
        )
        #expect(neighbours == ring.neighbours.map { devices[$0] })
    }

    struct Ring: Sendable {
        let own: Int
        let members: [Int]
        let neighbours: [Int]
    }

    /// In a full mesh everybody is the neighbour of two others.
    @Test func everybodyHasTwo() {
        for device in devices {
            let chosen = devices.filter { other in
                LinkTable.neighbours(of: other, among: devices.filter { $0 != other })
                    .contains(device)
            }
            #expect(chosen.count == 2)
        }
    }
}
