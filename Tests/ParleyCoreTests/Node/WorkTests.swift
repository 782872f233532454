import ParleyCore
import ParleyFaults
import Testing

/// The work for the frames of one peer is bounded for each step, not only their bytes, and all of
/// them are handled in the end.
@Suite struct WorkTests {
    private let table = SimulatedConversation(1)
    private var author: SimulatedAuthor {
        SimulatedAuthor(crypto: SimulatedCryptography(seed: 2), table: table)
    }

    private func bytes(_ frames: [Frame]) -> [UInt8] {
        var bytes: [UInt8] = []
        for frame in frames { frame.append(to: &bytes) }
        return bytes
    }

    @Test func manySmallFramesTakeSeveralTurns() {
        var puppet = Puppet()
        puppet.meet()
        puppet.forgetFrames()
        let frames = (0..<UInt64(3_000)).map { Frame.ping($0) }
        puppet.send(bytes: bytes(frames))
        #expect(puppet.turns == 3_000 / Work.perMemberTurn)
        #expect(puppet.frames == (0..<UInt64(3_000)).map { Frame.pong($0) })
        #expect(puppet.refusals.isEmpty)
    }

    @Test func aStrangerHasShorterTurns() {
        var puppet = Puppet()
        puppet.open()
        puppet.send(puppet.hello)
        puppet.forgetFrames()
        puppet.send(bytes: bytes((0..<UInt64(1_000)).map { Frame.ping($0) }))
        #expect(puppet.turns == 1_000 / Work.perTurn)
        #expect(puppet.frames.count == 1_000)
    }

    /// Frames that may be ignored are the cheapest to send.
    @Test func unknownFramesCountAsWell() {
        var puppet = Puppet()
        puppet.meet()
        var bytes: [UInt8] = []
        for _ in 0..<5_000 { FrameHeader(length: 0, type: 250).append(to: &bytes) }
        puppet.send(bytes: bytes)
        #expect(puppet.turns == 5_000 / Work.perMemberTurn)
    }

    @Test func signaturesCostMoreThanTheirBytes() {
        var puppet = Puppet(table: table)
        puppet.peer = author.crypto
        puppet.meetAndSync()
        puppet.send(.origin(OriginFrame(conversation: 0, record: author.record)))
        let envelopes = (1...UInt64(40)).map { number in
            let session = "s\(number)"
            let header = author.header(session, number)
            return author.frame(
                author.envelope(header, session: session, text: "x"),
                position: number
            )
        }
        let before = puppet.turns
        puppet.send(bytes: bytes(envelopes))
        #expect(puppet.turns - before == 2, "16 signatures in each turn")
        #expect(puppet.machine.conversations.first?.sessions.count == 40)
        #expect(puppet.refusals.isEmpty)
    }

    /// A peer that cuts 4,096 tags into the smallest frames makes a node with many conversations
    /// compare all of them for each frame.
    @Test func tagsTakeSeveralTurns() {
        var puppet = Puppet()
        for number in UInt32(2)...200 {
            let other = SimulatedConversation(UInt64(number))
            let record = other.record(number: number, role: .relay, device: puppet.nodeDevice)
            puppet.handle(.joined(record))
        }
        puppet.open()
        puppet.send(puppet.hello)
        let groups = Limits.conversationTags / Limits.conversationGroup
        let frames = (0..<UInt64(groups)).map { group in
            let tags = (0..<UInt64(8)).map { Bytes16(group, $0) }
            return Frame.conversations(ConversationTags(tags: tags))
        }
        puppet.send(bytes: bytes(frames))
        #expect(puppet.turns >= groups * 200 / Work.perTurn / 2)
        #expect(puppet.refusals.isEmpty)
    }

    /// Waiting frames are handled before those that arrive after them.
    @Test func whatWaitsKeepsItsPlace() {
        var puppet = Puppet()
        puppet.meet()
        puppet.forgetFrames()
        let pings = { (range: Range<UInt64>) in bytes(range.map { Frame.ping($0) }) }
        let inputs = [pings(0..<1_500), pings(1_500..<1_600)]
        puppet.handle(inputs.map { NodeInput.received(puppet.link, Slice($0)) })
        #expect(puppet.frames == (0..<UInt64(1_600)).map { Frame.pong($0) })
        #expect(puppet.turns == 1)
    }
}
