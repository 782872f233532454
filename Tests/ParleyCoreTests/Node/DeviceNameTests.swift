import ParleyCore
import ParleyFaults
import Testing

/// The names of devices while they are linked, while they are away, and after a restart.
@Suite struct DeviceNameTests {
    private let table = SimulatedConversation(1)
    private let lobby = SimulatedConversation(2, name: "lobby", isOpen: true)

    private func device(_ seed: UInt64) -> DeviceID {
        let crypto = SimulatedCryptography(seed: seed)
        return DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
    }

    private func written(_ puppet: Puppet) -> [String] {
        puppet.writes.compactMap { write in
            if case .deviceName(_, let name) = write { name } else { nil }
        }
    }

    /// A link of one of the table that says `name`, and ends.
    private func visit(
        _ puppet: inout Puppet,
        _ seed: UInt64,
        as name: String,
        on link: UInt64,
        in tables: [SimulatedConversation]? = nil
    ) {
        puppet.meet(SimulatedCryptography(seed: seed), on: LinkID(link), in: tables, named: name)
        puppet.handle(.linkClosed(LinkID(link), "gone"))
    }

    /// A device that is reached only across a relay tells its name in its messages, which are on
    /// disk, unlike its card.
    @Test func aNameCrossesARelayInsideOfMessages() throws {
        let world = World(nodes: 3)
        world.cut(0, 2)
        world.join(table, [0, 2])
        world.join(table, [1], as: .relay)
        world.run(.milliseconds(500))
        let author = try #require(world.nodes[0].machine).device
        world.send("s", "x", by: 0, in: table)
        world.run(.milliseconds(50))
        world.stop(2)
        world.start(2)
        #expect(world.nodes[2].machine?.name(of: author) == world.nodes[0].name)
        world.expectSound()
    }

    /// The names that messages of one device tell, each with its place, and the name that is shown.
    struct Telling: Sendable {
        let names: [(place: UInt64, name: String?)]
        var linkName: String?
        let shown: String?
    }

    private static let tellings = [
        Telling(names: [(1, "ann")], shown: "ann"),
        Telling(names: [(1, nil)], shown: nil),
        Telling(names: [(1, "ann"), (2, "Ann")], shown: "Ann"),
        Telling(names: [(2, "Ann"), (1, "ann")], shown: "Ann"),
        Telling(names: [(1, "ann"), (2, nil)], shown: "ann"),
        Telling(names: [(1, "ann")], linkName: "by link", shown: "by link"),
        Telling(names: [(1, "ann")], linkName: "", shown: "ann"),
    ]

    @Test(arguments: tellings)
    func theLatestMessageNamesADeviceThatNeverSaidHello(_ telling: Telling) {
        var puppet = Puppet()
        puppet.meetAndSync()
        let crypto = SimulatedCryptography(seed: 3)
        let author = SimulatedAuthor(crypto: crypto, table: table)
        if let name = telling.linkName { visit(&puppet, 3, as: name, on: 7) }
        puppet.send(author.originFrame)
        for (index, told) in telling.names.enumerated() {
            let session = "s\(index)"
            let envelope = author.envelope(
                author.header(session, UInt64(index) + 1),
                body: MessageBody(
                    session: SessionUUID(session: session),
                    place: told.place,
                    sentAt: 0,
                    deviceName: told.name
                )
            )
            puppet.send(author.frame(envelope, position: UInt64(index) + 1))
        }
        #expect(puppet.refusals.isEmpty)
        #expect(puppet.machine.name(of: device(3)) == telling.shown)
    }

    @Test func namesInMessagesAreBounded() {
        var names = SealedNames()
        for seed in UInt64(1)...3 {
            names.learn("n\(seed)", of: device(seed), at: 1, countMax: 2)
        }
        #expect(names.count == 2)
        #expect((1...3).map { names[device($0)] } == ["n1", "n2", nil])
        names.learn("later", of: device(1), at: 2, countMax: 2)
        #expect(names[device(1)] == "later")
    }

    @Test func firstNameOfAMemberIsWrittenOnce() {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.pass(.seconds(3))
        #expect(written(puppet) == ["peer"])
        #expect(puppet.disk.deviceNames == [puppet.peerDevice: "peer"])
        #expect(puppet.machine.name(of: puppet.peerDevice) == "peer")
        #expect(puppet.machine.name(of: puppet.nodeDevice) == "node")
        #expect(puppet.machine.name(of: device(7)) == nil)
    }

    @Test func onlyAnotherNameIsWrittenAgain() {
        var puppet = Puppet()
        for (link, name) in ["ann", "ann", "Ann", "", "Ann"].enumerated() {
            visit(&puppet, 3, as: name, on: UInt64(link) + 2)
        }
        visit(&puppet, 4, as: "ann", on: 9)
        #expect(written(puppet) == ["ann", "Ann", "ann"])
        #expect(puppet.machine.name(of: device(3)) == "Ann")
        #expect(puppet.disk.deviceNames == [device(3): "Ann", device(4): "ann"])
        var again = Puppet(disk: puppet.disk)
        #expect(again.machine.name(of: device(3)) == "Ann")
        visit(&again, 3, as: "Ann", on: 2)
        #expect(written(again) == [])
    }

    /// One hello is all that a link has.
    @Test func aLinkWritesOneName() {
        var puppet = Puppet()
        puppet.meetAndSync()
        puppet.send(puppet.hello(named: "other"))
        #expect(puppet.refusals == [.unexpected(FrameType.hello.rawValue)])
        #expect(written(puppet) == ["peer"])
    }

    /// It is seen while it is there, and nothing is kept of it.
    @Test func strangersAreForgotten() {
        var puppet = Puppet()
        let writes = puppet.writes.count
        for seed in UInt64(2)...20 {
            let link = LinkID(seed)
            let stranger = SimulatedCryptography(seed: seed)
            puppet.meet(stranger, on: link, in: [lobby], named: "stranger \(seed)")
            #expect(puppet.machine.name(of: device(seed)) == "stranger \(seed)")
        }
        puppet.pass(.seconds(6))
        #expect(puppet.machine.links.isEmpty)
        #expect(puppet.machine.name(of: device(2)) == nil)
        #expect(puppet.machine.load.deviceNames == 0)
        #expect(puppet.writes.count == writes)
    }

    /// A member of earlier that shares nothing any more is called what it says while it is there.
    @Test func whatALinkSaysComesFirst() {
        var puppet = Puppet()
        visit(&puppet, 3, as: "ann", on: 2)
        puppet.meet(SimulatedCryptography(seed: 3), on: LinkID(3), in: [lobby], named: "other")
        #expect(puppet.machine.name(of: device(3)) == "other")
        puppet.handle(.linkClosed(LinkID(3), "gone"))
        #expect(puppet.machine.name(of: device(3)) == "ann")
        #expect(written(puppet) == ["ann"])
    }

    @Test func ownNameIsNotKept() {
        var puppet = Puppet()
        visit(&puppet, 1, as: "a copy", on: 2)
        #expect(written(puppet) == [])
        #expect(puppet.machine.name(of: puppet.nodeDevice) == "node")
    }

    /// Later names are told and not kept; those that are there may still change.
    @Test func noMoreNamesThanThereMayBe() {
        var limits = Limits()
        limits.deviceNames = 3
        var puppet = Puppet(limits: limits)
        for seed in UInt64(2)...7 { visit(&puppet, seed, as: "name \(seed)", on: seed) }
        visit(&puppet, 3, as: "renamed", on: 8)
        #expect(written(puppet) == ["name 2", "name 3", "name 4", "renamed"])
        #expect(puppet.machine.name(of: device(6)) == nil)
        puppet.meet(SimulatedCryptography(seed: 6), on: LinkID(9), named: "six")
        #expect(puppet.machine.name(of: device(6)) == "six")
        #expect(puppet.machine.load.deviceNames == 3)

        limits.deviceNames = 2
        let fewer = Puppet(limits: limits, disk: puppet.disk)
        #expect(fewer.machine.load.deviceNames == 2)
        let kept = [device(2), device(3), device(4)].sorted().prefix(2)
        #expect(kept.allSatisfy { fewer.machine.name(of: $0) != nil })
    }

    /// Anybody who knows the name of an open conversation can act as any number of devices.
    @Test func openConversationsLeaveRoom() {
        var limits = Limits()
        limits.deviceNames = 4
        var puppet = Puppet(table: lobby, limits: limits)
        puppet.handle(.joined(table.record(number: 2, role: .writer, device: puppet.nodeDevice)))
        for seed in UInt64(2)...6 { visit(&puppet, seed, as: "anybody", on: seed) }
        #expect(puppet.machine.load.deviceNames == 2)
        for seed in UInt64(7)...9 {
            visit(&puppet, seed, as: "friend", on: seed, in: [lobby, table])
        }
        #expect(written(puppet) == ["anybody", "anybody", "friend", "friend"])
    }

    /// A device that is away has a name after a restart, on both sides of the link.
    @Test func namesSurviveARestart() {
        let world = World(nodes: 2)
        world.join(table, [0, 1])
        world.run(.seconds(1))
        world.stop(0)
        world.stop(1)
        for node in 0...1 {
            world.start(node)
            let peer = world.nodes[1 - node]
            #expect(world.nodes[node].machine?.name(of: peer.device) == peer.name)
            world.stop(node)
        }
        world.expectSound()
    }
}
