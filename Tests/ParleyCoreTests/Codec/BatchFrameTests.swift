import ParleyCore
import ParleyFaults
import Testing

/// A batch frame is a shorter way to write `envelope` frames, and is read as those.
@Suite struct BatchFrameTests {
    private let crypto = SimulatedCryptography(seed: 1)

    @Test(arguments: 0..<UInt64(100))
    func anyEnvelopesAreReadAsTheyWereWritten(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let batches = (0..<3).map { _ in batch(random.length(1...40), &random) }
        var sent: [Sample] = []
        while sent.count < 60 {
            let batch = batches[random.length(0...2)]
            let start = random.length(0...batch.count - 1)
            sent += batch[start...].prefix(random.length(1...20))
        }
        let written = write(sent)
        #expect(try read(written) == sent.map(\.frame), "seed \(seed)")
        #expect(written.count < sent.reduce(0) { $0 + $1.frame.encoded.count })
    }

    /// From one envelope to the next the path changes up to the step in which their ways meet.
    @Test func aPathHasOnlyTheStepsInWhichItDiffers() throws {
        var random = SeededRandom(seed: 1)
        let envelopes = batch(16, &random)
        let cases: [(indices: [Int], steps: [Int])] = [
            ([0, 1, 2, 3, 4], [4, 1, 2, 1, 3]), ([7, 8], [4, 4]), ([5, 5], [4, 0]),
            ([15, 13], [4, 2]),
        ]
        for (indices, steps) in cases {
            let sent = indices.map { envelopes[$0] }
            let items = sent.reduce(0) { $0 + $1.proofStart }
            let expected =
                FrameHeader.count + 4 + Signature.count
                + indices.count * 16 + steps.reduce(0, +) * Bytes32.count + items
            #expect(write(sent).count == expected, "\(indices)")
            #expect(try read(write(sent)) == sent.map(\.frame))
        }
    }

    /// The index of an envelope takes one to three bytes, the length of its path two or three.
    @Test(arguments: [1, 2, 5, 8, Limits.proofDepth])
    func proofsOfEveryLengthAreShortened(depth: Int) throws {
        var random = SeededRandom(seed: UInt64(depth))
        let envelopes = batch(1 << depth, &random)
        let last = envelopes.count - 1
        for index in [0, 22, 23, 24, 254, 255, 256, 1_022] where index < last {
            let sent = Array(envelopes[index...index + 1])
            let written = write(sent)
            let steps = depth + Int.bitWidth - (index ^ (index + 1)).leadingZeroBitCount
            let items = sent.reduce(0) { $0 + $1.proofStart }
            let prefix = FrameHeader.count + 4 + Signature.count
            #expect(written.count == prefix + 2 * 16 + steps * Bytes32.count + items)
            #expect(try read(written) == sent.map(\.frame))
        }
    }

    @Test func aFrameIsClosedBeforeItIsTooLong() throws {
        var random = SeededRandom(seed: 2)
        let frames = headers(write(batch(64, bodyBytes: 900, &random)))
        #expect(frames.count == 4)
        for frame in frames { #expect(frame.length <= BatchFrame.bytesMax) }
        let large = batch(2, bodyBytes: 40_000, &random)
        #expect(headers(write(large)).count == 2)
        #expect(try read(write(large)) == large.map(\.frame))
    }

    /// A Byzantine device may put any hashes into its proofs.
    @Test func proofsOfOneSignatureThatDifferInTheirPathsStayAsTheyAre() throws {
        var random = SeededRandom(seed: 3)
        let signature = random.signature()
        let sent = (0..<6).map { number in
            let path = ProofPath((0..<4).map { _ in random.bytes32() })
            let proof = EnvelopeProof.batch(signature, index: number, path: path)
            return sample(proof, bodyBytes: 30, &random)
        }
        #expect(try read(write(sent)) == sent.map(\.frame))
    }

    /// Rows that are read back from the disk are not decoded again.
    @Test func aDamagedProofIsSentAsItIs() throws {
        var random = SeededRandom(seed: 5)
        for whole in batch(512, &random)[298...300] {
            let bytes = whole.frame.envelope.bytes
            let heads = [0, 1, 2, 3, 68, 69, 70, 71, 72, 73].map { whole.proofStart + $0 }
            for offset in heads {
                for value in UInt8.min...UInt8.max where value != bytes[offset] {
                    var damaged = bytes
                    damaged[offset] = value
                    try expectUnchanged(damaged, like: whole)
                }
            }
            for end in whole.proofStart..<bytes.count {
                try expectUnchanged(Array(bytes[..<end]), like: whole)
            }
        }
    }

    private func expectUnchanged(_ envelope: [UInt8], like whole: Sample) throws {
        let frame = EnvelopeFrame(
            conversation: 3,
            hops: whole.frame.hops,
            position: whole.frame.position,
            envelope: Slice(envelope)
        )
        let sent = Sample(frame: frame, proofStart: whole.proofStart)
        #expect(try read(write([whole, sent])) == [whole.frame, frame])
    }

    @Test func anEnvelopeWithASignatureOfItsOwnHasAFrameOfItsOwn() throws {
        var random = SeededRandom(seed: 4)
        let batch = batch(2, &random)
        let digest = Bytes32(3, 0, 0, 0)
        let single = sample(.single(crypto.sign(digest.bytes.span.bytes)), bodyBytes: 9, &random)
        let sent = [batch[0], single, batch[1]]
        #expect(try read(write(sent)) == sent.map(\.frame))
        #expect(headers(write(sent)).map(\.type) == [35, 7, 35])
    }

    // MARK: Refusals

    /// The first entry has 2 steps; `cut` bytes are left of the frame.
    private struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let error: CodecError
        var steps: [UInt8] = [2, 1]
        var index: UInt16 = 3
        var left = Int.max

        init(_ what: String, _ error: CodecError) {
            testDescription = what
            self.error = error
        }
    }

    private static let wrong: [Wrong] = {
        var wrong = [
            Wrong("nothing", .truncated), Wrong("no envelope", .truncated),
            Wrong("half of an entry", .truncated), Wrong("half of the hashes", .truncated),
            Wrong("half of the items", .truncated), Wrong("no steps", .outOfRange),
            Wrong("eleven steps", .outOfRange), Wrong("more steps than before", .outOfRange),
            Wrong("an index beyond the leaves", .outOfRange),
        ]
        for (index, left) in [(0, 0), (1, 68), (2, 80), (3, 100), (4, 150)] {
            wrong[index].left = left
        }
        wrong[5].steps = [0, 0]
        wrong[6].steps = [11, 0]
        wrong[7].steps = [2, 3]
        wrong[8].index = 4
        return wrong
    }()

    @Test(arguments: wrong)
    private func isRefused(_ wrong: Wrong) throws {
        var body = [UInt8](repeating: 0, count: 4 + Signature.count)
        for steps in wrong.steps {
            body.appendBigEndian(UInt64(1))
            body += [0, steps]
            body.appendBigEndian(wrong.index)
            body.appendBigEndian(UInt32(30))
            body += [UInt8](repeating: 1, count: Int(steps) * Bytes32.count + 30)
        }
        body = Array(body.prefix(wrong.left))
        var frame: [UInt8] = []
        FrameHeader(length: body.count, type: BatchFrame.type).append(to: &frame)
        #expect(throws: wrong.error) { try read(frame + body) }
    }

    @Test(arguments: 0..<UInt64(30))
    func changedFramesAreReadOrRefused(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = write(batch(12, &random))
        for _ in 0..<100 {
            var changed = bytes
            for _ in 0..<random.length(1...4) {
                let index = Int.random(in: FrameHeader.count..<changed.count, using: &random)
                changed[index] = UInt8.random(in: 0...255, using: &random)
            }
            let frames = (try? read(changed)) ?? []
            #expect(frames.count <= changed.count / 16)
        }
    }

    // MARK: Samples

    /// An envelope frame whose header and sealed body are random bytes.
    private struct Sample {
        let frame: EnvelopeFrame
        let proofStart: Int
    }

    private func batch(
        _ count: Int,
        bodyBytes: Int = 50,
        _ random: inout SeededRandom
    ) -> [Sample] {
        let digests = (0..<max(2, count)).map { _ in random.bytes32() }
        return BatchTree.proofs(of: digests, using: crypto).prefix(count)
            .map { sample($0, bodyBytes: bodyBytes, &random) }
    }

    private func sample(
        _ proof: EnvelopeProof,
        bodyBytes: Int,
        _ random: inout SeededRandom
    ) -> Sample {
        let header = Slice(random.bytes(random.length(20...40)))
        let body = Slice(random.bytes(bodyBytes))
        let bytes = Envelope.encode(headerBytes: header, body: body, proof: proof)
        return Sample(
            frame: EnvelopeFrame(
                conversation: 3,
                hops: UInt8.random(in: 0...255, using: &random),
                position: random.next() >> 1 | 1,
                envelope: Slice(bytes)
            ),
            proofStart: Envelope.proofStart(header, body: body)
        )
    }

    // MARK: Frames

    private func write(_ samples: [Sample]) -> [UInt8] {
        var writer = BatchFrameWriter(conversation: 3, capacity: 0)
        for sample in samples {
            writer.append(
                .whole(sample.frame.envelope),
                proofStart: sample.proofStart,
                hops: sample.frame.hops,
                position: sample.frame.position
            )
        }
        return writer.finish()
    }

    private func read(_ bytes: [UInt8]) throws -> [EnvelopeFrame] {
        var parser = FrameParser()
        parser.append(Slice(bytes))
        var frames: [EnvelopeFrame] = []
        while let frame = try parser.next(frameBytesMax: Limits.frameBytes) {
            frames.append(try EnvelopeFrame(decoding: frame.body))
        }
        return frames
    }

    /// The headers of the frames as they are on the wire.
    private func headers(_ bytes: [UInt8]) -> [FrameHeader] {
        var headers: [FrameHeader] = []
        var offset = 0
        while offset < bytes.count {
            headers.append(FrameHeader(reading: Slice(bytes), at: offset))
            offset += FrameHeader.count + headers[headers.count - 1].length
        }
        return headers
    }
}

extension EnvelopeFrame {
    fileprivate var encoded: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}
