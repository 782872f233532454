import ParleyDiscovery
import Testing

struct PublicationMachineTests {
    private let now: Duration = .seconds(100)

    private func publication(port: UInt16 = 1) throws -> Publication {
        try Publication(shortID: "aaaaaaaa00000001", port: port, deviceName: "", version: 1)
    }

    private func established() throws -> PublicationMachine {
        var machine = PublicationMachine()
        _ = machine.becameUsable(at: now)
        _ = machine.wantedChanged(to: try publication(), at: now)
        machine.established()
        return machine
    }

    @Test func registersWhenBothWishAndDaemonAreThere() throws {
        let wanted = try publication()
        let register = PublicationMachine.Action.register(wanted, name: "parley-aaaaaaaa")
        var wishFirst = PublicationMachine()
        #expect(wishFirst.wantedChanged(to: wanted, at: now) == .none)
        #expect(wishFirst.becameUsable(at: now) == register)
        var daemonFirst = PublicationMachine()
        #expect(daemonFirst.becameUsable(at: now) == .none)
        #expect(daemonFirst.wantedChanged(to: wanted, at: now) == register)
        #expect(daemonFirst.wantedChanged(to: wanted, at: now) == .none)
        daemonFirst.established()
        #expect(daemonFirst.establishedName == "parley-aaaaaaaa")
    }

    @Test func withdrawsWhatIsNotWanted() throws {
        var machine = try established()
        #expect(machine.wantedChanged(to: nil, at: now) == .withdraw)
        #expect(machine.establishedName == nil)
        #expect(machine.becameUnusable() == .none)
        #expect(machine.becameUsable(at: now) == .none)
    }

    @Test func registersAgainAfterTheDaemonWasAway() throws {
        var machine = try established()
        #expect(machine.becameUnusable() == .withdraw)
        #expect(machine.wakeAt == nil)
        let wanted = try publication()
        #expect(machine.becameUsable(at: now) == .register(wanted, name: "parley-aaaaaaaa"))
    }

    /// A changed service stays withdrawn for a while, because others ignore the new values
    /// otherwise.
    @Test func staysAwayBeforeItSaysSomethingElse() throws {
        var machine = try established()
        let other = try publication(port: 2)
        #expect(machine.wantedChanged(to: other, at: now) == .withdraw)
        #expect(machine.wakeAt == now + DiscoveryLimits.withdrawal)
        let later = now + DiscoveryLimits.withdrawal
        #expect(machine.woke(at: later) == .register(other, name: "parley-aaaaaaaa"))
    }

    @Test func triesThreeOtherNamesAndThenBacksOff() throws {
        var machine = try established()
        var now = now
        var names: [String?] = []
        for _ in 0..<3 {
            let answer = machine.collided(at: now)
            let collision = try #require(answer)
            names.append(collision.newName)
            // A late report of the same collision changes nothing.
            #expect(machine.collided(at: now) == nil)
            now = try #require(machine.wakeAt)
            let wanted = try publication()
            let name = try #require(collision.newName)
            #expect(machine.woke(at: now) == .register(wanted, name: name))
        }
        #expect(names == ["parley-aaaaaaaa-2", "parley-aaaaaaaa-3", "parley-aaaaaaaa-4"])
        let last = machine.collided(at: now)
        #expect(last == .init(name: "parley-aaaaaaaa-4", newName: nil))
        #expect(machine.wakeAt == now + DiscoveryLimits.publishBackoff)
        let later = now + DiscoveryLimits.publishBackoff
        let wanted = try publication()
        #expect(machine.woke(at: later) == .register(wanted, name: "parley-aaaaaaaa"))
    }

    @Test func renewsAtOnceAndThenNotTooOften() throws {
        var machine = try established()
        let wanted = try publication()
        let register = PublicationMachine.Action.register(wanted, name: "parley-aaaaaaaa")
        #expect(machine.renewalRequested(at: now + .seconds(60)) == register)
        machine.established()
        #expect(machine.renewalRequested(at: now + .seconds(61)) == .none)
        #expect(machine.renewalRequested(at: now + .seconds(62)) == .none)
        #expect(machine.establishedName != nil)
        #expect(machine.wakeAt == now + .seconds(63))
        #expect(machine.woke(at: now + .seconds(62)) == .none)
        #expect(machine.woke(at: now + .seconds(63)) == register)
        #expect(machine.wakeAt == nil)
    }

    @Test func doesNotRenewWhatIsNotThere() throws {
        var machine = PublicationMachine()
        #expect(machine.renewalRequested(at: now) == .none)
        _ = machine.wantedChanged(to: try publication(), at: now)
        #expect(machine.renewalRequested(at: now) == .none)
        #expect(machine.wakeAt == nil)
        #expect(machine.collided(at: now) == nil)
    }

    @Test func backsOffAfterAFailure() throws {
        var machine = try established()
        machine.failed(at: now)
        #expect(machine.establishedName == nil)
        #expect(machine.wakeAt == now + DiscoveryLimits.publishBackoff)
        let wanted = try publication()
        let renewed = machine.renewalRequested(at: now + .seconds(10))
        #expect(renewed == .register(wanted, name: "parley-aaaaaaaa"))
    }
}
