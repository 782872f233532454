import ParleyCore
import ParleyFaults
import Testing

/// A peer that does not take what it gets costs little, and slows nobody else.
@Suite struct BackpressureTests {
    private let table = SimulatedConversation(1)

    @Test func stoppedReaderGetsOnlyTheLatest() throws {
        var settings = WorldSettings()
        settings.limits.outboxBytes = 8 << 10
        let world = World(nodes: 3, settings)
        world.join(table, [0, 1, 2])
        world.run(.milliseconds(500))
        world.stopReading(2)
        var most = 0
        for round in 0..<300 {
            let session = round % 10
            world.send(
                "s\(session)",
                String(repeating: "x", count: 500) + "\(round)",
                by: 0,
                in: table
            )
            world.run(.milliseconds(5))
            most = max(most, world.nodes[0].sockets.undrained.values.max() ?? 0)
            let last = world.text("s\(session)", in: table, at: 1)
            #expect(last?.hasSuffix("x\(round)") == true, "others are not slowed down")
        }
        #expect(most < 8 << 10 + 4 << 10)
        let before = world.trace.crossings.count
        world.resumeReading(2)
        world.run(.seconds(2))
        let after = world.trace.crossings.dropFirst(before).filter { $0.to == 2 }
        #expect(after.count <= 20)
        #expect(world.text("s9", in: table, at: 2)?.hasSuffix("x299") == true)
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// A slow disk holds back credit: what waits for a commit stays bounded.
    @Test func commitQueueIsBounded() throws {
        var settings = WorldSettings()
        settings.limits.commitQueueBytes = 64 << 10
        let world = World(nodes: 2, settings)
        world.join(table, [0, 1])
        world.run(.milliseconds(500))
        world.stopCommitting(1)
        for round in 0..<200 {
            let text = String(repeating: "x", count: 4_000)
            world.send("s\(round)", text, by: 0, in: table)
            world.run(.milliseconds(5))
        }
        let pending = try #require(world.nodes[1].machine).load.commitBytes
        #expect(pending > 64 << 10)
        #expect(pending < 400 << 10)
        world.resumeCommitting(1)
        world.run(.seconds(5))
        #expect(world.text("s199", in: table, at: 1)?.count == 4_000)
        world.settle()
        world.expectEqualHeads(of: table)
        world.expectSound()
    }

    /// Regression: heads that did not fit into the credit together were never sent.
    @Test func sessionLargerThanTheCreditIsSentHeadByHead() throws {
        let center = 0
        let reader = 9
        let world = World(nodes: 10)
        for one in 1..<10 { for other in 1..<one { world.cut(one, other) } }
        world.join(table, Array(0..<9))
        // The credit that this peer gives lets in four of the envelopes.
        var limits = Limits()
        limits.commitQueueBytes = 0
        world.restart(reader, limits)
        world.join(table, [reader])
        world.run(.seconds(1))
        world.cut(center, reader)
        world.send("t", "so that it is missed", by: center, in: table)
        world.run(.seconds(2))
        for writer in 1..<9 { world.cut(center, writer) }
        for writer in 1..<9 {
            var draft = World.Draft(
                session: "s",
                text: String(repeating: "\u{1F600}", count: 4_900)
            )
            let bytes = Slice([UInt8](repeating: 1, count: 8_000))
            draft.picture = InlinePicture(type: "image/png", bytes: bytes)
            world.send([draft], by: writer, in: table)
        }
        world.run(.milliseconds(500))
        for writer in 1..<9 { world.mend(center, writer) }
        world.run(.seconds(3))
        #expect(world.view("s", in: table, at: center)?.heads.count == 8)
        let before = world.trace.crossings.count
        world.mend(center, reader)
        world.run(.seconds(2))
        #expect(world.view("s", in: table, at: reader)?.heads.count == 8)
        let sent = world.trace.crossings.dropFirst(before).filter { $0.to == reader }
        #expect(sent.count == 8)
        #expect(Set(sent.map(\.dot)).count == 8)
        world.settle()
        world.expectSound()
    }

    /// A node wants to hear that a link is drained when half of what it may owe is on its way, and
    /// not for each message: the answer is a step of its own.
    @Test func drainIsAskedForWhenItMatters() {
        var limits = Limits()
        limits.outboxBytes = 8 << 10
        var puppet = Puppet(limits: limits)
        puppet.meetAndSync()
        func send(_ number: Int) {
            let request = AuthorRequest(
                request: RequestID(UInt64(number)),
                conversation: 1,
                body: MessageBody(
                    session: SessionUUID(session: "s\(number)"),
                    place: 0,
                    sentAt: 0,
                    url: String(repeating: "x", count: 1_000)
                )
            )
            puppet.handle(.authored([request]))
        }
        send(1)
        send(2)
        #expect(puppet.count(.envelope) == 2)
        #expect(puppet.drainsAsked == 0)
        for number in 3...20 { send(number) }
        #expect(puppet.drainsAsked == 1)
        #expect(puppet.count(.envelope) < 10, "no more is handed over than may be owed")
        puppet.handle(.drained(puppet.link))
        #expect(puppet.drainsAsked == 2)
        for _ in 0..<4 { puppet.handle(.drained(puppet.link)) }
        #expect(puppet.count(.envelope) == 20)
    }

    /// A peer that keeps asking without reading the answers is cut off.
    @Test func floodOfPingsWithoutReadingEndsTheLink() {
        var puppet = Puppet()
        puppet.meetAndSync()
        var bytes: [UInt8] = []
        for number in 0..<4_096 { Frame.ping(UInt64(number) << 32).append(to: &bytes) }
        for _ in 0..<200 where puppet.closes.isEmpty { puppet.send(bytes: bytes) }
        #expect(puppet.goodbye == .overLimit)
        #expect(puppet.closes.count == 1)
    }
}
