import ParleyCore
import ParleyNode
import Testing

/// What is remembered of a device: its name a while after a link, and what it shares.
@Suite struct AcquaintancesTests {
    private let device = DeviceID(Bytes32(1, 0, 0, 0))
    private let greeted = LinkNotice.Change.greeted(software: "test", name: "two")
    private let closed = LinkNotice.Change.closed(.lost("gone"))

    private func acquaintances(_ changes: [LinkNotice.Change]) -> Acquaintances {
        var acquaintances = Acquaintances()
        for change in changes {
            acquaintances.note(change, of: device, at: "192.0.2.1:9", .start) { $0 == 2 }
        }
        return acquaintances
    }

    @Test func theNameOfALinkOutlivesIt() {
        for changes in [[greeted], [greeted, .suspected], [greeted, closed]] {
            let recent = acquaintances(changes).recent
            #expect(recent.all(at: .start).map(\.address) == ["192.0.2.1:9"])
            #expect(recent.all(at: .start).map(\.name) == ["two"])
            #expect(recent.all(at: .start + .seconds(60)).isEmpty)
        }
        #expect(acquaintances([closed]).recent.all(at: .start).map(\.name) == [nil])
    }

    @Test func whatADeviceSharesIsRememberedUntilThisNodeLeaves() {
        var acquaintances = acquaintances([
            greeted, .joined(conversation: 1), .joined(conversation: 2), closed,
        ])
        for number in 1...2 as ClosedRange<UInt32> {
            #expect(acquaintances.met.members(of: number) == [device])
            acquaintances.left(number)
            #expect(acquaintances.met.members(of: number).isEmpty)
        }
    }
}
