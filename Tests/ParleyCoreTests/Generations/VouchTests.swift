import ParleyCore
import ParleyFaults
import Testing

/// What members had of somebody who is out stays, whatever a voucher does or leaves out.
@Suite struct VouchTests {
    /// A message of Xan's is at Ben's node.
    private static func room() -> (room: ThrownOut, said: Bytes32) {
        var room = ThrownOut()
        let said = room.bring(room.author(room.xan), "a", 1)
        return (room, said)
    }

    /// One envelope is named once, so that a vouch with the same content has one ID.
    @Test(arguments: [([1, 2], true), ([2, 2], false)] as [([UInt64], Bool)])
    func digestsAscend(_ digests: [UInt64], isVouch: Bool) {
        let crypto = SimulatedCryptography(seed: 1)
        let vouch = Vouch(
            for: digests.map { Bytes16($0, 0) },
            of: OriginID(Bytes16(1, 1)),
            in: ConversationID(.zero),
            at: GenerationID(birthOf: ConversationID(.zero)),
            writeSeed: .zero,
            using: crypto
        )
        #expect((Vouch(packed: Slice(vouch.packed)) != nil) == isVouch)
    }

    /// Hostile case 12: the node crashes after each commit, then hears of the change again.
    @Test(arguments: 0...3) func aCrashAfterACommitLosesNothing(commits: Int) throws {
        var (room, said) = Self.room()
        room.puppet.commits = false
        let change = try room.change()
        room.bring([change])
        for _ in 0..<commits { room.puppet.commitNext() }
        room.restart(syncing: false)
        #expect(room.heads("a") == [said])
        let vouched = room.state?.generations.vouches.covers(said, of: room.author(room.xan).origin)
        #expect(vouched == (room.state?.generations.number == 2), "both are there, or none")

        if vouched == true { room.meet() } else { room.puppet.meetAndSync() }
        room.bring([change])
        #expect(room.heads("a") == [said])
        #expect(room.state?.generations.vouches.all.count == 1)
        #expect(room.state?.standing == .member)
    }

    /// Hostile case 12 between nodes: a crash between any two effects.
    @Test(arguments: 0..<40) func aCrashWhileAdoptingLosesNothing(steps: Int) {
        let world = World(nodes: 3)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        for node in 0...2 {
            world.join(table, [node])
            world.run(.seconds(4))
        }
        world.isolate([0])
        world.run(.seconds(10))
        world.send("a", "only two have it", by: 2, in: table)
        world.run(.seconds(5))
        table.rotate(in: world, by: 0, without: [2])
        world.stop(2)
        world.heal()
        world.crash(1, afterSteps: steps)
        world.run(.seconds(20))
        world.start(1)
        world.run(.seconds(60))

        #expect(world.nodes[1].state(of: table)?.standing == .member)
        #expect(world.text("a", in: table, at: 0) == "only two have it")
        #expect(world.text("a", in: table, at: 1) == "only two have it")
        #expect(world.problems == [])
    }

    /// Hostile case 13: whoever changes the keys vouches for nothing.
    @Test func membersVouchForWhatTheyHave() throws {
        var (room, said) = Self.room()
        let change = try room.change()
        room.bring([change])
        #expect(room.heads("a") == [said])
        #expect(room.vouches.map(\.digests) == [[said.prefix16]])
        #expect(room.vouches.map(\.origin) == [room.author(room.xan).origin])
    }

    /// Hostile case 13: the only voucher is thrown out later.
    @Test func aVouchOfWhoIsOutIsReplaced() throws {
        var (room, said) = Self.room()
        let change = try room.change()
        let origin = room.author(room.xan).origin
        room.bring([
            change, .vouch(room.vouch(by: room.cid, at: 1, for: [said.prefix16], of: origin)),
        ])
        #expect(room.heads("a") == [said] && room.vouches.isEmpty, "one vouch is enough")

        let next = try room.change(stays: [room.known(room.ada), room.known(room.ben)])
        room.bring([next])
        #expect(room.heads("a") == [said])
        #expect(room.vouches.map(\.digests) == [[said.prefix16]])
    }

    /// Hostile case 13: a vouch is kept back, until the message has been turned away.
    @Test(arguments: [Capability.Role.writer, .reader, .relay])
    func aVouchThatComesLateCounts(role: Capability.Role) throws {
        var room = ThrownOut(role: role)
        let change = try room.change(
            stays: [room.known(room.ada), room.known(room.ben, as: role), room.known(room.cid)]
        )
        room.bring([change])
        let xan = room.author(room.xan)
        let said = room.bring(xan, "a", 1)
        #expect(room.heads("a") == [])

        room.bring([.vouch(room.vouch(by: room.cid, at: 1, for: [said.prefix16], of: xan.origin))])
        #expect(room.puppet.wanted == [xan.dot(1)], "nobody would send it again")
        room.bring(xan, "a", 1)
        #expect(room.heads("a") == [said])
    }

    /// Hostile case 21: a vouch of who is out, and a vouch for another body or author.
    @Test func vouchesForOthersOrByOthersDoNotCount() throws {
        var room = ThrownOut()
        let change = try room.change()
        room.bring([change])
        let (xan, invented) = (
            room.author(room.xan), room.xan.admitting(SimulatedCryptography(seed: 40), number: 1)
        )
        let said = room.bring(xan, "a", 1)
        for vouch in [
            room.vouch(by: room.xan, at: 0, for: [said.prefix16], of: xan.origin),
            room.vouch(by: invented, at: 0, for: [said.prefix16], of: xan.origin),
            room.vouch(by: room.cid, at: 1, for: [Bytes16(1, 2)], of: xan.origin),
            room.vouch(
                by: room.cid,
                at: 1,
                for: [said.prefix16],
                of: room.author(invented).origin
            ),
        ] {
            room.bring([.vouch(vouch)])
            room.bring(xan, "a", 1)
            #expect(room.heads("a") == [])
        }
        #expect(room.puppet.wanted.isEmpty, "what does not exist is not looked for")
        #expect(room.puppet.refusals.isEmpty)
    }

    /// Hostile case 21: vouches without end, by Xan, by devices that it invents, and by a member.
    ///
    /// They take the places of their devices only, so that another member vouches nevertheless.
    @Test(arguments: ["former", "invented", "member"]) func aFloodTakesOwnPlacesOnly(
        by kind: String
    ) throws {
        var room = ThrownOut()
        let change = try room.change()
        room.bring([change])
        let xan = room.author(room.xan)
        let said = room.bring(xan, "a", 1)
        for number in 0..<UInt64(1_500) {
            let one =
                switch kind {
                case "former": room.xan
                case "invented": GenerationForge(.init(seed: 1_000 + number / 32), room.table)
                default: room.cid
                }
            let number = Bytes16(number, 1)
            let vouch = room.vouch(
                by: one,
                at: kind == "member" ? 1 : 0,
                for: [number],
                of: OriginID(number)
            )
            room.bring([.vouch(vouch)])
        }
        let count = room.state?.generations.vouches.all.count ?? 0
        #expect(count <= Limits.idleVouches + Limits.vouchesPerDevice)
        #expect(room.puppet.disk.conversations[1]?.members.count ?? 0 <= count + 20)
        room.bring([.vouch(room.vouch(by: room.ada, at: 1, for: [said.prefix16], of: xan.origin))])
        room.bring(xan, "a", 1)
        #expect(room.heads("a") == [said])
        #expect(room.puppet.refusals.isEmpty)
    }

    /// Hostile case 21: a member invents devices with the present keys, which vouch.
    @Test func inventedDevicesDoNotVouch() throws {
        var room = ThrownOut()
        let change = try room.change()
        room.bring([change])
        let xan = room.author(room.xan)
        let said = room.bring(xan, "a", 1)
        for number in 0..<UInt64(Limits.vouches) {
            let one = GenerationForge(.init(seed: 1_000 + number / 32), room.table)
            let number = Bytes16(number, 1)
            room.bring([.vouch(room.vouch(by: one, at: 1, for: [number], of: OriginID(number)))])
        }
        room.bring([.vouch(room.vouch(by: room.ada, at: 1, for: [said.prefix16], of: xan.origin))])
        room.bring(xan, "a", 1)
        #expect(room.heads("a") == [said])
    }

    /// Hostile case 21: a member vouches under keys that lost.
    @Test func aVouchBesideTheLineDoesNotCount() throws {
        var room = ThrownOut()
        let birth = (id: room.generations.first, seed: room.ada.birthSeed, number: UInt32(1))
        let seed = Bytes32(8, 8, 8, 8)
        let stays = [room.ben.device, room.cid.device]
        let lost = room.cid.record(behind: birth, seed: seed, stays: stays)
        let change = try room.change()
        room.bring([change, .generation(lost.record, lost.boxes)])
        let xan = room.author(room.xan)
        let said = room.bring(xan, "a", 1)
        let vouch = Vouch(
            for: [said.prefix16],
            of: xan.origin,
            in: room.table.id,
            at: lost.record.statement.id(using: room.cid.crypto),
            writeSeed: Capability.writeSeed(seed, using: room.cid.crypto),
            using: room.cid.crypto
        )
        room.bring([.vouch(vouch)])
        room.bring(xan, "a", 1)
        #expect(room.heads.isEmpty)
    }

    /// Of more authors than one device may vouch for, all nodes have the same.
    @Test func whatHasNoVouchIsLetGo() throws {
        var room = ThrownOut()
        let count = Limits.vouchesPerDevice + 6
        for epoch in 1...UInt64(count) {
            var xan = room.author(room.xan)
            xan.epoch = Epoch(epoch)
            room.bring(xan, "s\(epoch)", 1)
        }
        #expect(room.heads.count == count)
        let change = try room.change()
        room.bring([change])
        #expect(room.vouches.count == Limits.vouchesPerDevice)
        #expect(room.heads.count == Limits.vouchesPerDevice, "the others would be here only")
        let table = room.puppet.machine.conversations
        #expect(table.totals.all == room.state?.kept)
        #expect(table.totals.all.heads == Limits.vouchesPerDevice)
    }
}
