import ParleyCore
import Testing

/// Members without a link, as neither side needs one.
@Suite struct SparePeersTests {
    private let devices = (1...4).map { DeviceID(Bytes32($0, 0, 0, 0)) }

    private func moment(_ milliseconds: Int64) -> Moment { .start + .milliseconds(milliseconds) }

    /// Three of the devices, the highest of which has had no link for longest.
    private var spares: SparePeers {
        var spares = SparePeers()
        for (index, time) in [(2, 0), (0, 10), (1, 20)] {
            spares.insert(devices[index], sharing: [1, 2], at: moment(Int64(time)))
        }
        return spares
    }

    @Test func peersAreNotDialledUntilTheyAreRecalled() {
        var spares = spares
        #expect(spares.peers.map(\.device) == Array(devices[0...2]))
        #expect(spares.hints == [1, 2, 3])
        let answers = [1, 1, 3].map { spares.recall(devices[$0], at: moment(100)) }
        #expect(answers == [true, false, false], "dialled already, and unknown")
        #expect(spares.hints == [1, 3])
        #expect(spares.deadline == moment(600))
        spares.remove(devices[1])
        #expect(spares.peers.map(\.device) == [devices[0], devices[2]])
        #expect(spares.takeOverdue(at: moment(600)) == [])
    }

    @Test func whatWasRecalledInVainIsForgotten() {
        var spares = spares
        _ = spares.recall(devices[2], at: moment(100))
        _ = spares.recall(devices[0], at: moment(100))
        #expect(spares.takeOverdue(at: moment(599)) == [])
        #expect(spares.takeOverdue(at: moment(600)) == [devices[0], devices[2]])
        #expect(spares.peers.map(\.device) == [devices[1]])
    }

    @Test func oneAfterTheOtherIsRenewed() {
        var spares = spares
        let due = moment(900_000)
        #expect(spares.takeRenewal(at: due + .milliseconds(-1)) == nil)
        #expect(spares.deadline.map { $0 >= due && $0 < due + .seconds(225) } == true)
        let late = due + .seconds(225)
        #expect(spares.takeRenewal(at: late) == devices[2])
        #expect(spares.takeRenewal(at: late) == nil, "one at a time")
        spares.insert(devices[2], sharing: [1], at: late)
        #expect(spares.takeRenewal(at: late + .seconds(1_125)) == devices[0])
        spares.removeAll()
        #expect(spares.deadline == nil)
    }

    @Test func membersOfConversationsThatWereLeftAreForgotten() {
        var spares = spares
        spares.insert(devices[3], sharing: [2], at: moment(30))
        spares.keep { $0 != 2 }
        #expect(spares.peers.map(\.device) == Array(devices[0...2]))
        #expect(spares.share(1) && !spares.share(2))
        spares.keep { $0 == 3 }
        #expect(spares.isEmpty)
        #expect(spares.deadline == nil)
    }
}
