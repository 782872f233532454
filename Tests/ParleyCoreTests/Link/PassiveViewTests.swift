import ParleyCore
import Testing

/// Members without a link, as neither side needs one.
@Suite struct PassiveViewTests {
    private let devices = (1...4).map { DeviceID(Bytes32($0, 0, 0, 0)) }

    private func moment(_ milliseconds: Int64) -> Moment { .start + .milliseconds(milliseconds) }

    /// Three of the devices, the highest of which has had no link for longest.
    private var view: PassiveView {
        var view = PassiveView()
        for (index, time) in [(2, 0), (0, 10), (1, 20)] {
            view.insert(devices[index], sharing: [1, 2], at: moment(Int64(time)))
        }
        return view
    }

    @Test func peersAreNotDialledUntilTheyArePromoted() {
        var view = view
        #expect(view.peers.map(\.device) == Array(devices[0...2]))
        #expect(view.hints == [1, 2, 3])
        let answers = [1, 1, 3].map { view.promote(devices[$0], at: moment(100)) }
        #expect(answers == [true, false, false], "dialled already, and unknown")
        #expect(view.hints == [1, 3])
        #expect(view.deadline == moment(600))
        view.remove(devices[1])
        #expect(view.peers.map(\.device) == [devices[0], devices[2]])
        #expect(view.takeOverdue(at: moment(600)) == [])
    }

    @Test func whatWasPromotedInVainIsForgotten() {
        var view = view
        _ = view.promote(devices[2], at: moment(100))
        _ = view.promote(devices[0], at: moment(100))
        #expect(view.takeOverdue(at: moment(599)) == [])
        #expect(view.takeOverdue(at: moment(600)) == [devices[0], devices[2]])
        #expect(view.peers.map(\.device) == [devices[1]])
    }

    @Test func oneAfterTheOtherIsRenewed() {
        var view = view
        let due = moment(900_000)
        #expect(view.takeRenewal(at: due + .milliseconds(-1)) == nil)
        #expect(view.deadline.map { $0 >= due && $0 < due + .seconds(225) } == true)
        let late = due + .seconds(225)
        #expect(view.takeRenewal(at: late) == devices[2])
        #expect(view.takeRenewal(at: late) == nil, "one at a time")
        view.insert(devices[2], sharing: [1], at: late)
        #expect(view.takeRenewal(at: late + .seconds(1_125)) == devices[0])
        view.removeAll()
        #expect(view.deadline == nil)
    }

    @Test func membersOfConversationsThatWereLeftAreForgotten() {
        var view = view
        view.insert(devices[3], sharing: [2], at: moment(30))
        view.keep { $0 != 2 }
        #expect(view.peers.map(\.device) == Array(devices[0...2]))
        #expect(view.share(1) && !view.share(2))
        view.keep { $0 == 3 }
        #expect(view.isEmpty)
        #expect(view.deadline == nil)
    }
}
