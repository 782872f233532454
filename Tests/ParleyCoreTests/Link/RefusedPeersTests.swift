import ParleyCore
import ParleyFaults
import Testing

/// A member that broke the protocol has to wait before it is linked again.
@Suite struct RefusedPeersTests {
    private let device = DeviceID(Bytes32(1, 0, 0, 0))

    @Test func thePausesGrow() {
        var refused = RefusedPeers()
        var now = Moment.start
        var pauses: [Int64] = []
        for _ in 0..<8 {
            refused.insert(device, at: now)
            let until = refused.pause(of: device, at: now) ?? now
            pauses.append((until - now).nanoseconds / 1_000_000_000)
            now = until
            #expect(refused.pause(of: device, at: now) == nil)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(refused.pause(of: DeviceID(Bytes32(2, 0, 0, 0)), at: .start) == nil)
        refused.insert(device, at: now + .seconds(601))
        let later = now + .seconds(601)
        #expect(refused.pause(of: device, at: later) == later + .seconds(1), "it is forgotten")
    }

    /// Regression: it was linked again at once, and refused again, without end.
    @Test func aRefusedMemberIsTurnedAwayForAWhile() {
        var puppet = Puppet()
        puppet.meet()
        puppet.send(puppet.hello)
        #expect(puppet.refusals.count == 1)
        puppet.handle(.linkClosed(puppet.link, "closed"))
        for (number, wait) in [Int64(0), 500].enumerated() {
            puppet.pass(.milliseconds(wait))
            puppet.forgetFrames()
            puppet.open()
            #expect(puppet.goodbye == .busy, "attempt \(number)")
            puppet.handle(.linkClosed(puppet.link, "closed"))
        }
        puppet.pass(.milliseconds(501))
        puppet.forgetFrames()
        puppet.meet()
        #expect(puppet.goodbye == nil)
        #expect(puppet.machine.links.first?.isMember == true)
    }

    /// Strangers are new devices whenever they like, so only their addresses wait.
    @Test func aRefusedStrangerIsNotRemembered() {
        var puppet = Puppet()
        puppet.open()
        puppet.send(.ping(1))
        #expect(puppet.refusals.count == 1)
        puppet.handle(.linkClosed(puppet.link, "closed"))
        puppet.forgetFrames()
        puppet.meet()
        #expect(puppet.goodbye == nil)
    }
}
