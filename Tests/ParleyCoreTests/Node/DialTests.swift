import ParleyCore
import ParleyFaults
import Testing

/// The addresses that a node dials, and the times when it does not.
@Suite struct DialTests {
    private let table = SimulatedConversation(1)

    /// Regression: with all slots taken the timer was asked for at once, for ever.
    @Test func fullDiallerWaitsForADialToEnd() throws {
        var limits = Limits()
        limits.dials = 4
        var puppet = Puppet(limits: limits)
        puppet.now = Moment.start + .seconds(1)
        for number in 0..<10 {
            puppet.handle(
                .addressFound(FoundAddress(text: "host-\(number)", source: .configured))
            )
        }
        #expect(puppet.dials.count == 4)
        if let timer = puppet.timer { #expect(timer > puppet.now) }
        let first = try #require(puppet.dials.first)
        puppet.handle(.dialFailed(first.id, "refused"))
        #expect(puppet.dials.count == 5)
    }

    @Test func strangersAreDialledAtALowRate() {
        var puppet = Puppet()
        for number in 0..<50 {
            puppet.handle(
                .addressFound(FoundAddress(text: "host-\(number)", source: .discovered))
            )
        }
        #expect(puppet.dials.count == 5)
        puppet.pass(.milliseconds(3_100))
        #expect(puppet.dials.count <= 20)
        var made = 0
        for _ in 0..<160 {
            while made < puppet.dials.count {
                puppet.handle(.dialFailed(puppet.dials[made].id, "refused"))
                made += 1
            }
            puppet.pass(.milliseconds(100))
        }
        #expect(
            Set(puppet.dials.map(\.address)).count == 50,
            "nobody is dialled twice before everybody had a turn"
        )
    }

    /// A member that is away is dialled again every second at most, and after ten minutes rarely.
    @Test func backOffGrows() {
        var puppet = Puppet()
        puppet.handle(.addressFound(FoundAddress(text: "host", source: .configured)))
        var made = 0
        var perMinute: [Int] = []
        for _ in 0..<30 {
            let before = puppet.dials.count
            for _ in 0..<600 {
                while made < puppet.dials.count {
                    puppet.handle(.dialFailed(puppet.dials[made].id, "refused"))
                    made += 1
                }
                puppet.pass(.milliseconds(100))
            }
            perMinute.append(puppet.dials.count - before)
        }
        #expect(perMinute[0] > 50 && perMinute[0] < 90)
        #expect(perMinute[25] <= 3)
        puppet.handle(.networkChanged)
        #expect(puppet.dials.count > made, "at once after a change of the network")
    }

    /// Regression: a member that had always dialled was itself dialled as rarely as a stranger when
    /// it fell silent, and an attempt that nobody answered was followed by a wait of its own.
    @Test func silentMemberIsDialledEverySecond() {
        var puppet = Puppet()
        puppet.handle(
            .addressFound(
                FoundAddress(text: "host", source: .discovered, hint: puppet.peerDevice.hint)
            )
        )
        if let stale = puppet.dials.last { puppet.handle(.dialFailed(stale.id, "refused")) }
        puppet.meet()
        puppet.pass(.milliseconds(6_100))
        let before = puppet.dials.count
        var age = 0
        for _ in 0..<80 {
            let made = puppet.dials.count
            puppet.pass(.milliseconds(100))
            age = puppet.dials.count > made ? 0 : age + 1
            guard age == 10, let dial = puppet.dials.last else { continue }
            puppet.handle(.dialFailed(dial.id, "nobody answered in time"))
            age = 0
        }
        #expect(puppet.closes.isEmpty)
        #expect(puppet.dials.count - before >= 6, "\(puppet.dials.count - before) dials in 8 s")
    }

    /// Regression: all addresses of a device were dialled at once, and each of the links that this
    /// made carried the whole feed before all but one were closed.
    @Test func firstAddressOfADeviceHasAHeadStart() throws {
        var puppet = Puppet()
        for text in ["host-1", "host-2", "host-3"] {
            let hint = puppet.peerDevice.hint
            puppet.handle(.addressFound(FoundAddress(text: text, source: .discovered, hint: hint)))
        }
        #expect(puppet.dials.map(\.address) == ["host-1"])
        puppet.pass(.milliseconds(240))
        #expect(puppet.dials.count == 1)
        puppet.pass(.milliseconds(20))
        #expect(puppet.dials.map(\.address) == ["host-1", "host-2", "host-3"])
    }

    @Test func nextAddressOfADeviceFollowsAtOnceWhenTheFirstFails() throws {
        var puppet = Puppet()
        for text in ["host-1", "host-2"] {
            let hint = puppet.peerDevice.hint
            puppet.handle(.addressFound(FoundAddress(text: text, source: .discovered, hint: hint)))
        }
        let first = try #require(puppet.dials.first)
        puppet.handle(.dialFailed(first.id, "refused"))
        #expect(puppet.dials.map(\.address) == ["host-1", "host-2"])
    }

    @Test func peersTellOfOneAnother() {
        let world = World(nodes: 3, areStrangers: true)
        world.join(table, [0, 1, 2])
        // Node 0 knows the others, who do not know one another.
        world.introduce(0, to: 1)
        world.introduce(0, to: 2)
        world.run(.seconds(1))
        #expect(world.nodes[1].machine?.links.count == 2)
        #expect(world.nodes[2].machine?.links.count == 2)
        world.stop(0)
        world.send("s", "without the go-between", by: 1, in: table)
        world.run(.milliseconds(200))
        #expect(world.text("s", in: table, at: 2) == "without the go-between")
        world.expectSound()
    }

    /// An address at which a member was reached is known after a restart.
    @Test func membersAreRemembered() {
        let world = World(nodes: 2, areStrangers: true)
        world.join(table, [0, 1])
        world.introduce(0, to: 1, source: .discovered)
        world.run(.seconds(1))
        #expect(world.nodes[0].disk.addresses.map(\.text) == ["node-b"])
        world.stop(0)
        world.nodes[0].addresses = []
        world.start(0)
        world.run(.seconds(1))
        #expect(world.nodes[0].machine?.links.count == 1)
        world.expectSound()
    }
}
