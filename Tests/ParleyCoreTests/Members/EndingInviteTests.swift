import ParleyCore
import ParleyFaults
import Testing

/// Invites that end: by time, by uses, and because they are revoked.
@Suite struct EndingInviteTests {
    private let table = World.visited

    /// A world in which the first node has an invite, and the others want to come.
    private func world(
        _ nodes: Int,
        uses: UInt32 = 256,
        lasts: UInt64? = nil
    ) throws -> (World, KnockRequests.Door) {
        let world = World(nodes: nodes)
        world.run(.milliseconds(500))
        world.invite(at: 0, uses: uses, lasts: lasts, pick: 7)
        world.run(.milliseconds(100))
        return (world, try #require(world.doors.first))
    }

    private func members(_ world: World) -> [Int] {
        world.nodes.indices.filter { world.number(of: table, at: $0) != nil }
    }

    private func ends(_ world: World, at node: Int) -> [KnockNotice.End] {
        world.nodes[node].person.deliveries.compactMap { delivery in
            if case .knocked(let notice) = delivery { notice.end } else { nil }
        }
    }

    private func invite(_ world: World) -> EndingInvite? {
        world.nodes[0].machine?.members.invites.entries.first?.invite
    }

    // MARK: Uses

    @Test func whoHasTheTokenIsLetInAndTheOthersLearnByWhom() throws {
        let (world, door) = try world(3)
        world.knock(at: door, by: 1)
        world.run(.seconds(1))
        world.knock(at: door, by: 2)
        world.run(.seconds(2))
        #expect(members(world) == [0, 1, 2])
        let inviter = world.nodes[0].crypto.devicePublicKey
        for node in world.nodes {
            let machine = try #require(node.machine)
            let number = try #require(machine.conversations.first?.number)
            let known = machine.members[number].all
            #expect(known.map(\.device) == known.map(\.device).sorted())
            #expect(Set(known.map(\.device)) == Set(world.nodes[1...].map(\.device)))
            #expect(known.allSatisfy { $0.inviterKey == inviter })
            #expect(Set(known.map(\.number)) == [1, 2])
        }
        world.expectSound()
    }

    @Test func ofTwoAtOnceForTheLastUseOneIsLetIn() throws {
        let (world, door) = try world(4, uses: 1)
        for node in 1...3 { world.knock(at: door, by: node) }
        world.run(.seconds(2))
        #expect(members(world).count == 2)
        let refused = (1...3).flatMap { ends(world, at: $0) }
            .filter { $0 == .refused(.usedUp) }
        #expect(refused.count == 2)
        world.expectSound()
    }

    @Test func theSameDeviceAgainTakesNoUse() throws {
        let (world, door) = try world(3, uses: 2)
        world.knock(at: door, by: 1)
        world.run(.seconds(1))
        world.leave(table, 1)
        world.run(.seconds(8))
        world.knock(at: door, by: 1)
        world.run(.seconds(2))
        #expect(members(world) == [0, 1])
        #expect(invite(world)?.came.count == 1)
        world.expectSound()
    }

    @Test func usesAreCountedOnDiskBeforeTheAnswer() throws {
        let (world, door) = try world(2, uses: 1)
        world.stopCommitting(0)
        world.knock(at: door, by: 1)
        world.run(.seconds(3))
        #expect(ends(world, at: 1).isEmpty)
        #expect(members(world) == [0])
        world.expectSound()
    }

    @Test func usesAreKeptOverARestart() throws {
        let (world, door) = try world(3, uses: 1)
        world.knock(at: door, by: 1)
        world.run(.seconds(2))
        world.crash(0)
        world.run(.seconds(1))
        world.start(0)
        world.run(.seconds(2))
        world.knock(at: door, by: 2)
        world.run(.seconds(8))
        #expect(ends(world, at: 2) == [.refused(.usedUp)])
        world.expectSound()
    }

    // MARK: Time

    @Test(arguments: [Int64(0), -10, 10])
    func theTimeEndsWhateverTheWallClockSays(years: Int64) throws {
        let (world, door) = try world(3, lasts: 30)
        world.run(.seconds(20))
        world.nodes[0].clock.wallOffset += years * 365 * 86_400_000
        world.knock(at: door, by: 1)
        world.run(.seconds(2))
        #expect(ends(world, at: 1).first == (years > 0 ? .refused(.ended) : .letIn(keys)))
        world.run(.seconds(20))
        world.knock(at: door, by: 2)
        world.run(.seconds(8))
        #expect(ends(world, at: 2) == [.refused(.ended)])
        // An end is for good.
        world.nodes[0].clock.wallOffset = 0
        world.knock(at: door, by: 2)
        world.run(.seconds(8))
        #expect(ends(world, at: 2) == [.refused(.ended), .refused(.ended)])
        world.expectSound()
    }

    /// Regression: a clean stop lost up to a minute of the running time.
    @Test func theRunningTimeIsNotedAtAStop() throws {
        let (world, _) = try world(1, lasts: 600)
        world.run(.seconds(30))
        var machine = try #require(world.nodes[0].machine)
        let clock = world.nodes[0].clock.read(at: world.now)
        #expect(machine.handle(.stopping, at: world.now).asksForClock)
        let writes = machine.handle(.clocked(clock), at: world.now).persist?.writes ?? []
        let ran = try writes.compactMap { write in
            guard case .member(_, .invite(_), let bytes?) = write else { return nil as UInt64? }
            return try EndingInvite(stored: bytes).ran
        }
        #expect(ran == [30])
    }

    /// Nobody wakes up for an invite that ends no more.
    @Test(arguments: [(30, false), (600, true)])
    func theClockIsReadForInvitesThatStillEnd(lasts: UInt64, isRead: Bool) throws {
        let (world, _) = try world(1, lasts: lasts)
        world.run(.seconds(130))
        var machine = try #require(world.nodes[0].machine)
        #expect(machine.handle(.stopping, at: world.now).asksForClock == isRead)
    }

    private let keys = Slice(Array("keys".utf8))

    @Test func aRevokedInviteLetsNobodyIn() throws {
        let (world, door) = try world(2)
        world.revoke(door)
        world.knock(at: door, by: 1)
        world.run(.seconds(2))
        #expect(ends(world, at: 1) == [.refused(.revoked)])
        world.expectSound()
    }

    @Test func nobodyAnswersWhileTheInviterIsAway() throws {
        let (world, door) = try world(2)
        world.crash(0)
        world.knock(at: door, by: 1)
        world.run(.seconds(31))
        #expect(ends(world, at: 1) == [.unanswered])
        world.expectSound()
    }

    /// That is the first link, or the next one if the first ends without an answer.
    @Test(arguments: [false, true]) func aKnockWaitsForALink(isUnanswered: Bool) throws {
        let (world, door) = try world(2)
        world.stopCommitting(0)
        if isUnanswered { world.knock(at: door, by: 1) }
        world.run(.seconds(1))
        world.crash(0)
        world.run(.seconds(1))
        if !isUnanswered { world.knock(at: door, by: 1) }
        world.run(.seconds(1))
        world.start(0)
        world.resumeCommitting(0)
        world.run(.seconds(10))
        #expect(ends(world, at: 1) == [.letIn(keys)])
        world.expectSound()
    }

    // MARK: Strangers

    @Test func whoGuessesIsRefusedAndAfterFiveTriesNotHeard() throws {
        let (world, door) = try world(3)
        let wrong = KnockRequests.Door(
            device: door.device,
            invite: door.invite,
            token: Bytes16(1, 2)
        )
        for number in 0..<6 {
            let guess = KnockRequests.Door(
                device: wrong.device,
                invite: UInt32(number),
                token: wrong.token
            )
            world.knock(at: guess, by: 1)
            world.run(.milliseconds(200))
        }
        let unknown = [KnockNotice.End](repeating: .refused(.unknown), count: 5)
        #expect(ends(world, at: 1) == unknown + [.refused(.later)])
        // Whoever has the token is heard, from that address too.
        for node in 1...2 { world.knock(at: door, by: node) }
        world.run(.seconds(2))
        #expect(ends(world, at: 1).last == .letIn(keys))
        #expect(ends(world, at: 2) == [.letIn(keys)])
        world.expectSound()
    }

    @Test func aProofIsOfNoUseElsewhere() {
        let crypto = SimulatedCryptography(seed: 1)
        let (token, device) = (Bytes16(1, 2), DeviceID(Bytes32(1, 1, 1, 1)))
        let exporter = Bytes32(9, 9, 9, 9)
        let proof = KnockFrame.proof(of: token, on: exporter, by: device, using: crypto)
        let others = [
            KnockFrame.proof(of: Bytes16(1, 3), on: exporter, by: device, using: crypto),
            KnockFrame.proof(of: token, on: .zero, by: device, using: crypto),
            KnockFrame.proof(of: token, on: exporter, by: DeviceID(.zero), using: crypto),
        ]
        #expect(!others.contains(proof))
    }

    // MARK: Store

    @Test func theStoredFormIsComplete() throws {
        let (world, door) = try world(2, uses: 3, lasts: 600)
        world.knock(at: door, by: 1)
        world.run(.seconds(2))
        let kept = try #require(invite(world))
        #expect(kept.came == [world.nodes[1].device])
        #expect(try EndingInvite(stored: Slice(kept.stored)) == kept)
        for count in 0..<kept.stored.count {
            let cut = Slice(Array(kept.stored.prefix(count)))
            #expect((try? EndingInvite(stored: cut)) == nil)
        }
    }
}
