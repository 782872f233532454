import ParleyCore
import ParleyFaults
import Testing

/// The envelopes that a peer wants share frames where they share a signature.
@Suite struct WantedEnvelopesTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)
    private let peer = LinkID(9)

    /// Envelopes of one signature of Ada's, and one of Ben's, all from before the link.
    private func replaying(
        _ count: UInt64 = 4
    ) throws -> (SampleConversation, Replication, [Envelope]) {
        var sample = SampleConversation(writers: [ada, ben])
        _ = sample.conversation.begin(55)
        let singles = try (1...count).map { try ada.writes("s\($0)", $0) }
        let tree = BatchTree(digests: singles.map { sample.head($0).digest }, using: ada.crypto)
        let signature = ada.crypto.sign(BatchTree.signedBytes(root: tree.root).span.bytes)
        let batch = try singles.enumerated().map { index, envelope in
            try envelope.with(tree.proof(at: index, signature: signature))
        }
        let other = try ben.writes("b")
        sample.take(batch + [other])
        var replication = Replication(sample: peer)
        try replication.begin(.fromBeginning, of: sample.conversation)
        let announced = replication.sent(from: sample).announced
        #expect(announced.count == Int(count) + 1)
        return (sample, replication, batch + [other])
    }

    private func want(
        _ envelopes: [Envelope],
        of sample: SampleConversation,
        _ replication: inout Replication
    ) throws {
        let list = WantList(conversation: 0, entries: envelopes.map { sample.entry($0) })
        try replication.wantReceived(list, of: sample.conversation)
    }

    /// The headers of the frames as they are on the wire.
    private func headers(_ pieces: [[UInt8]]) -> [FrameHeader] {
        let bytes = Slice(pieces.flatMap { $0 })
        var headers: [FrameHeader] = []
        var offset = 0
        while offset < bytes.count {
            let header = FrameHeader(reading: bytes, at: offset)
            headers.append(header)
            offset += FrameHeader.count + header.length
        }
        return headers
    }

    @Test func thoseOfOneSignatureShareAFrame() throws {
        var (sample, replication, all) = try replaying()
        let order = [all[0], all[1], all[4], all[2], all[3]]
        try want(order, of: sample, &replication)
        var sender = Sender(sample: sample)
        replication.pump(from: sample.conversation, into: &sender)
        let pieces = sender.outbox.take()
        let envelope = FrameType.envelope.rawValue
        let types = [BatchFrame.type, envelope, BatchFrame.type]
        #expect(headers(pieces).map(\.type) == types)
        let frames = [Frame](decoding: pieces)
        #expect(frames.envelopes.map(\.envelope) == order.map(\.bytes))
        #expect(frames.envelopes.allSatisfy { $0.position == 0 })
    }

    /// A peer on a slow path asks another node if it receives nothing for a second.
    @Test func noFrameIsLongOnItsWay() throws {
        var (sample, replication, all) = try replaying(40)
        let batch = Array(all[..<40])
        try want(batch, of: sample, &replication)
        var sender = Sender(sample: sample)
        replication.pump(from: sample.conversation, into: &sender)
        let pieces = sender.outbox.take()
        let frames = headers(pieces)
        #expect(frames.count < 10)
        for frame in frames { #expect(frame.length <= BatchFrame.wantedBytesMax) }
        #expect([Frame](decoding: pieces).envelopes.map(\.envelope) == batch.map(\.bytes))
    }

    /// Bytes that are being written count as much as those in the outbox.
    @Test func noMoreAreSentThanTheOutboxHolds() throws {
        var (sample, replication, all) = try replaying()
        try want(Array(all[..<4]), of: sample, &replication)
        var sender = Sender(sample: sample, capacity: all[0].bytes.count)
        replication.pump(from: sample.conversation, into: &sender)
        #expect(sender.takeFrames().pushed == [all[0].header.dot])
        #expect(replication.sent(from: sample).pushed == all[1..<4].map(\.header.dot))
    }
}
