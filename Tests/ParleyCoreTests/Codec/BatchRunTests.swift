import ParleyCore
import ParleyFaults
import Testing

/// Envelopes that arrived in a batch frame are sent on as if each of them had arrived by itself.
@Suite struct BatchRunTests {
    private let crypto = SimulatedCryptography(seed: 1)

    /// An envelope with random items, by itself and in the frame in which it arrived.
    private struct Sample {
        let envelope: Slice
        let proofStart: Int
        var entry: EnvelopePlace?
    }

    private struct Sent: Equatable {
        let envelope: Slice
        let hops: UInt8
        let position: UInt64
    }

    private func batch(_ count: Int, _ random: inout SeededRandom) -> [Sample] {
        let digests = (0..<max(2, count)).map { _ in random.bytes32() }
        return BatchTree.proofs(of: digests, using: crypto).prefix(count).map { proof in
            let header = Slice(random.bytes(random.length(20...40)))
            let body = Slice(random.bytes(random.chance(1, in: 8) ? 3_000 : 50))
            return Sample(
                envelope: Slice(Envelope.encode(headerBytes: header, body: body, proof: proof)),
                proofStart: Envelope.proofStart(header, body: body)
            )
        }
    }

    private func write(
        _ samples: [Sample],
        as sent: [Sent],
        by place: (Sample) -> EnvelopePlace
    ) -> [UInt8] {
        var writer = BatchFrameWriter(conversation: 3, capacity: 0)
        for (sample, sent) in zip(samples, sent) {
            writer.append(
                place(sample),
                proofStart: sample.proofStart,
                hops: sent.hops,
                position: sent.position
            )
        }
        return writer.finish()
    }

    private func sent(_ samples: [Sample], _ random: inout SeededRandom) -> [Sent] {
        samples.map {
            Sent(
                envelope: $0.envelope,
                hops: UInt8.random(in: 0...255, using: &random),
                position: random.next() >> 2 | 1
            )
        }
    }

    /// The samples as entries of the frames in which they arrive.
    private func arrived(_ samples: [Sample], _ random: inout SeededRandom) throws -> [Sample] {
        let bytes = Slice(write(samples, as: sent(samples, &random)) { .whole($0.envelope) })
        var places: [EnvelopePlace] = []
        var offset = 0
        while offset < bytes.count {
            let start = offset + FrameHeader.count
            offset = start + FrameHeader(reading: bytes, at: offset).length
            places += try Self.places(in: bytes[start..<offset])
        }
        return zip(samples, places).map {
            Sample(envelope: $0.envelope, proofStart: $0.proofStart, entry: $1)
        }
    }

    private static func places(in body: Slice) throws -> [EnvelopePlace] {
        let block = try BatchBlock(decoding: body, of: 0, number: 0)
        var places: [EnvelopePlace] = []
        var start = 4 + Signature.count
        while start < body.count {
            places.append(.entry(of: block, at: UInt32(start)))
            let items: UInt32 = body.bigEndian(at: start + 12)
            start += 16 + Int(body[start + 9]) * Bytes32.count + Int(items)
        }
        return places
    }

    private func read(_ bytes: [UInt8]) throws -> [Sent] {
        var parser = FrameParser()
        parser.append(Slice(bytes))
        var read: [Sent] = []
        while let raw = try parser.next(frameBytesMax: Limits.frameBytes) {
            let frame = try EnvelopeFrame(decoding: raw.body)
            read.append(
                Sent(envelope: frame.envelope, hops: frame.hops, position: frame.position)
            )
        }
        return read
    }

    @Test(arguments: 0..<UInt64(100))
    func placesMakeNoDifference(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let made = (0..<3).map { _ in batch(random.length(1...40), &random) }
        var all = try made.map { try arrived($0, &random) }
        all.append(try arrived(made[0].shuffled(using: &random), &random))
        var samples: [Sample] = []
        while samples.count < 80 {
            let batch = all[Int.random(in: 0..<4, using: &random)]
            let start = Int.random(in: 0..<batch.count, using: &random)
            samples += batch[start...].prefix(random.length(1...20))
        }
        #expect(samples.allSatisfy { $0.entry?.bytes == $0.envelope })
        let sent = sent(samples, &random)
        let expected = write(samples, as: sent) { .whole($0.envelope) }
        #expect(try read(expected) == sent)
        #expect(write(samples, as: sent) { $0.entry ?? .whole($0.envelope) } == expected)
        let share = Int.random(in: 2...6, using: &random)
        let mixed = write(samples, as: sent) {
            random.chance(1, in: share) ? .whole($0.envelope) : $0.entry ?? .whole($0.envelope)
        }
        #expect(mixed == expected, "seed \(seed)")
    }

    /// Regression: a path that a peer repeats in each entry was repeated on all further links.
    @Test func hashesThatAPeerRepeatsAreNotSentOn() throws {
        var random = SeededRandom(seed: 1)
        let samples = batch(32, &random)
        var body: [UInt8] = []
        for (index, sample) in samples.enumerated() {
            let alone = write([sample], as: sent([sample], &random)) { .whole($0.envelope) }
            body += alone.dropFirst(FrameHeader.count + (index == 0 ? 0 : 4 + Signature.count))
        }
        let places = try Self.places(in: Slice(body))
        let arrived = zip(samples, places).map {
            Sample(envelope: $0.envelope, proofStart: $0.proofStart, entry: $1)
        }
        let sent = sent(samples, &random)
        let expected = write(samples, as: sent) { .whole($0.envelope) }
        let written = write(arrived, as: sent) { $0.entry ?? .whole($0.envelope) }
        #expect(try read(written) == sent)
        #expect(written.count == expected.count)
    }
}
