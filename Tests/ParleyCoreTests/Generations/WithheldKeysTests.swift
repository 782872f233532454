import ParleyCore
import ParleyFaults
import Testing

/// Keys and records that somebody changes, leaves out, or shows too late.
@Suite struct WithheldKeysTests {
    private static let wrong = ["of another device", "of a lower role", "of other keys"]

    /// Hostile case 14: the box of one member is wrong.
    @Test(arguments: wrong) func aWrongBoxIsReported(box: String) throws {
        var room = ThrownOut()
        let (ada, ben, cid) = (room.known(room.ada), room.known(room.ben), room.known(room.cid))
        let cheated =
            switch box {
            case "of another device": room.known(room.ben, key: room.cid.crypto.devicePublicKey)
            case "of a lower role": room.known(room.ben, as: .reader)
            default: ben
            }
        var change = try room.change(stays: [ada, cheated, cid])
        if box == "of other keys", case .generation(let record, let boxes) = change {
            let other = room.ada.restated(record, check: .zero, parentSeed: room.ada.birthSeed)
            change = .generation(other, boxes)
        }
        room.bring([change])
        // Whoever is listed with fewer rights is out with those that it had.
        let standing = box == "of a lower role" ? Generations.Standing.out : .withoutKeys
        #expect(room.state?.standing == standing)
        #expect(room.notices.map(\.standing) == [standing], "a person is told")
        #expect(room.notices.map(\.author) == [room.ada.device])

        guard box == "of another device" else { return }
        let next = try room.change(stays: [ada, ben, cid])
        room.bring([next])
        #expect(room.state?.standing == .member, "others give the keys by another change")
    }

    // MARK: A relay that keeps back

    /// Hostile case 16: messages of new keys come without the record of the keys.
    @Test func whatCameBeforeTheRecordIsAskedForAgain() throws {
        var room = ThrownOut()
        let change = try room.change()
        let (cid, tag) = (room.author(room.cid), room.generations.currentTag)
        room.bring(cid, "a", 1, generation: tag)
        #expect(room.heads("a") == [])
        #expect(room.puppet.closes.isEmpty && room.puppet.wanted.isEmpty)

        room.bring([change])
        #expect(room.puppet.wanted == [cid.dot(1)])
        let said = room.bring(cid, "a", 1, generation: tag)
        #expect(room.heads("a") == [said])
    }

    /// Hostile case 16: the record comes without the boxes.
    @Test(arguments: [false, true]) func boxesMayComeLater(hasRestarted: Bool) throws {
        var room = ThrownOut()
        let change = try room.change()
        guard case .generation(let record, _) = change else { return }
        room.bring([.generation(record, nil)])
        #expect(room.state?.standing == .withoutKeys)
        if hasRestarted {
            room.restart(syncing: false)
            room.puppet.meetAndSync()
        }
        room.bring([change])
        #expect(room.state?.standing == .member)
        room.restart()
        #expect(room.state?.standing == .member)
        let boxes = room.state?.generations.generations.values.first?.boxes
        #expect(boxes != nil, "others may need them")
    }

    /// Regression: boxes that came after their record did not go on, so whoever was behind this
    /// node stayed without keys.
    @Test func lateBoxesGoOn() throws {
        var room = ThrownOut()
        let change = try room.change()
        guard case .generation(let record, _) = change else { return }
        room.puppet.meet(room.cid.crypto, on: LinkID(2))
        room.puppet.begin(on: LinkID(2))
        room.bring([.generation(record, nil)], on: LinkID(2))
        #expect(room.told.contains(.generation(record, nil)))
        room.puppet.forgetFrames()
        for _ in 0..<3 { room.bring([change], on: LinkID(2)) }
        #expect(room.told.filter { $0 == change }.count == 1)
    }

    /// Hostile case 16: a reader of which no card came is out, and is told so.
    @Test func aReaderWhoseCardIsWithheldIsToldThatItIsOut() {
        let world = World(nodes: 3)
        let table = SimulatedConversation(1, creator: world.nodes[0].crypto.devicePublicKey)
        world.isolate([2])
        for (node, role) in [Capability.Role.writer, .relay, .reader].enumerated() {
            world.join(table, [node], as: role)
            world.run(.seconds(4))
        }
        table.rotate(in: world, by: 0)
        world.run(.seconds(5))
        world.heal()
        world.run(.seconds(60))
        #expect(world.nodes[1].state(of: table)?.standing == .member)
        #expect(world.nodes[2].state(of: table)?.standing == .out)
        #expect(world.nodes[2].state(of: table)?.generations.secrets.isEmpty == true)
    }

    // MARK: A relay that shows what was

    /// Hostile case 17: a peer with earlier keys shows the line of before, again and again.
    @Test func anOldLineMovesNothingAndIsAnsweredOnce() throws {
        var room = ThrownOut()
        let first = try room.change()
        let oldTags = room.tags
        let second = try room.change()
        room.bring([first, second])
        room.restart(syncing: false)
        room.puppet.open()
        room.puppet.send(room.puppet.hello)
        room.puppet.send(oldTags)
        for _ in 0..<100 {
            let frame = MembersFrame(conversation: MembersFrame.noNumber, records: [first])
            room.puppet.send(.members(frame))
            room.bring(room.author(room.xan), "a", 1)
        }
        #expect(room.state?.generations.line == room.generations.line)
        #expect(room.told.count == 3, "birth and two generations")
        #expect(room.heads.isEmpty && room.notices.isEmpty)
    }

    /// Hostile case 17: with another link, a node that was kept on the old line catches up at once,
    /// and takes nothing more of who is out.
    @Test func whoWasKeptOnAnOldLineCatchesUp() throws {
        var room = ThrownOut()
        let xan = room.author(room.xan)
        let said = room.bring(xan, "a", 1)
        let changes = [try room.change(), try room.change()]
        let link = LinkID(2)
        room.puppet.handle(
            .linkOpened(
                OpenedLink(
                    id: link,
                    dial: nil,
                    peerKey: room.cid.crypto.devicePublicKey,
                    exporter: room.puppet.exporter,
                    address: "cid"
                )
            )
        )
        room.puppet.send(room.puppet.hello, on: link)
        room.puppet.send(room.tags, on: link)
        let frame = MembersFrame(conversation: MembersFrame.noNumber, records: changes)
        room.puppet.send(.members(frame), on: link)
        #expect(room.state?.standing == .member && room.state?.generations.number == 3)

        room.bring(xan, "a", 2, revision: 2)
        room.bring(xan, "b", 3)
        #expect(room.heads == [xan.tag("a"): [said]])
        let (cid, tag) = (room.author(room.cid), room.generations.currentTag)
        room.puppet.begin(on: link)
        var header = cid.header("c", 1)
        header.generation = tag
        room.puppet.send(cid.originFrame, on: link)
        room.puppet.send(cid.frame(cid.envelope(header, session: "c", text: "new")), on: link)
        #expect(room.heads("c").count == 1, "the other link is a member's")
    }
}
