import ParleyCore
import ParleyFaults
import Testing

/// A node traps at no bytes, and keeps to its own rules.
@Suite(.timeLimit(.minutes(20))) struct FuzzTests {
    private let table = SimulatedConversation(1)

    @Test(arguments: 0..<UInt64(60))
    func randomBytesIntoAMembersLink(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var puppet = Puppet()
        puppet.meetAndSync()
        for _ in 0..<20 where puppet.closes.isEmpty {
            puppet.send(bytes: random.bytes(Int.random(in: 1...200, using: &random)))
        }
        puppet.pass(.seconds(20))
        #expect(puppet.machine.links.isEmpty)
        #expect(puppet.disk.rows.isEmpty)
    }

    /// Frames with a right header and a body in which some bytes are others.
    @Test(arguments: 0..<UInt64(60))
    func mutatedFrames(seed: UInt64) {
        var random = SeededRandom(seed: seed &+ 1_000)
        var frames = FrameGenerator(seed: seed, table: table)
        for _ in 0..<10 {
            var puppet = Puppet()
            puppet.meetAndSync()
            for frame in frames.origins { puppet.send(frame) }
            for _ in 0..<20 where puppet.closes.isEmpty {
                var bytes: [UInt8] = []
                frames.next().append(to: &bytes)
                for _ in 0..<Int.random(in: 0...2, using: &random) where bytes.count > 4 {
                    bytes[Int.random(in: 4..<bytes.count, using: &random)] =
                        UInt8(truncatingIfNeeded: random.next())
                }
                puppet.send(bytes: bytes)
            }
            puppet.pass(.seconds(2))
            #expect(puppet.disk.problems.isEmpty)
        }
    }

    /// Legal frames in a senseless order, with time in between.
    @Test(arguments: 0..<UInt64(100))
    func wellFormedFrames(seed: UInt64) {
        var random = SeededRandom(seed: seed &+ 2_000)
        var frames = FrameGenerator(seed: seed, table: table)
        for _ in 0..<5 {
            var limits = Limits()
            if random.chance(1, in: 2) { limits.cacheBytes = 500 }
            var puppet = Puppet(limits: limits)
            puppet.meet()
            if random.chance(4, in: 5) { puppet.sync() }
            for frame in frames.origins { puppet.send(frame) }
            for _ in 0..<60 where puppet.closes.isEmpty {
                puppet.send(frames.next())
                answerReads(&puppet, &random)
                if random.chance(1, in: 6) {
                    puppet.pass(.milliseconds(Int64.random(in: 1...1_500, using: &random)))
                }
                if random.chance(1, in: 10) { author(&puppet, &random) }
            }
            puppet.pass(.seconds(20))
            #expect(puppet.machine.links.isEmpty)
            #expect(puppet.disk.problems.isEmpty)
            expectRestartable(puppet)
        }
    }

    private func answerReads(_ puppet: inout Puppet, _ random: inout SeededRandom) {
        for read in puppet.takeReads() where !random.chance(1, in: 10) {
            switch read {
            case .session(let row):
                puppet.handle(.loaded(row: row, heads: puppet.disk.rows[row]?.heads ?? []))
            case .blobChunk(let read):
                let bytes = puppet.disk.blobs[read.blob]?.chunks[read.index]
                puppet.handle(.blobChunkLoaded(read, bytes))
            case .blob(let blob):
                puppet.handle(.blobLoaded(blob, puppet.disk.stored(blob)))
            }
        }
    }

    private func author(_ puppet: inout Puppet, _ random: inout SeededRandom) {
        let session = "s\(Int.random(in: 0..<4, using: &random))"
        let request = AuthorRequest(
            request: RequestID(random.next()),
            conversation: 1,
            body: MessageBody(session: SessionUUID(session: session), place: 0, sentAt: 0)
        )
        puppet.handle(.authored([request]))
    }

    /// The rows on disk give the same heads again.
    private func expectRestartable(_ puppet: Puppet) {
        let restarted = Puppet(disk: puppet.disk)
        let before = puppet.machine.conversations.first?.sessions.map(\.register.heads)
        let after = restarted.machine.conversations.first?.sessions.map(\.register.heads)
        #expect((before ?? []) == (after ?? []))
    }
}
