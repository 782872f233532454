import ParleyCore
import ParleyFaults
import Testing

/// The reader of usual headers finds what the general reader finds, or nothing.
@Suite struct UsualItemsTests {
    private static let single = EnvelopeProof.single(Signature(first: .zero, second: .zero))

    /// What the general reader makes of these items with a proof behind them.
    private func general(_ items: [UInt8]) -> EnvelopeItems? {
        // An envelope without header and body begins with the length of the body.
        let proof = Envelope.encode(headerBytes: .empty, body: .empty, proof: Self.single)
        let bytes = items + proof.dropFirst()
        return try? Envelope(decoding: Slice(bytes)).items
    }

    private func items(_ random: inout SeededRandom, isUsual: Bool) -> [UInt8] {
        var header = random.header()
        if isUsual {
            header = EnvelopeHeader(
                tag: header.tag,
                dot: header.dot,
                revision: header.revision
            )
        }
        let counts = [0, 1, 23, 24, 60, 255, 256, 700, 30_000]
        let body = Slice(random.bytes(counts[Int.random(in: 0..<9, using: &random)]))
        let headerBytes = Slice(header.encoded())
        let whole = Envelope.encode(
            headerBytes: headerBytes,
            body: body,
            proof: Self.single
        )
        return Array(whole[..<Envelope.proofStart(headerBytes, body: body)])
    }

    @Test(arguments: 0..<UInt64(40))
    func validItemsAreReadAlike(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var found = 0
        for number in 0..<20 {
            let bytes = items(&random, isUsual: number % 2 == 0)
            let expected = try #require(general(bytes))
            guard let usual = EnvelopeItems.usual(Slice(bytes)) else { continue }
            found += 1
            #expect(usual == expected)
            #expect(usual.headerBytes == expected.headerBytes)
            #expect(usual.body == expected.body)
        }
        #expect(found > 0, "usual items are read fast")
    }

    @Test(arguments: 0..<UInt64(40))
    func damagedItemsAreReadAlikeOrNotAtAll(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var bytes = items(&random, isUsual: true)
            let near = min(bytes.count, 64)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let index = Int.random(in: 0..<min(near, bytes.count), using: &random)
                switch random.next() % 5 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes[index] ^= 1 << UInt8(random.next() % 8)
                case 2: bytes.remove(at: index)
                case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
                default: bytes.removeLast(Int.random(in: 1...near / 2, using: &random))
                }
            }
            guard let usual = EnvelopeItems.usual(Slice(bytes)) else { continue }
            #expect(general(bytes) == usual, "seed \(seed): \(Hexadecimal.text(bytes))")
        }
    }

    /// Each head of a number, with the least and the greatest number and those beyond.
    @Test func numbersHaveOneForm() {
        let prefix: [UInt8] =
            [0x88, 0x50] + [UInt8](repeating: 1, count: 16) + [0x50]
            + [UInt8](repeating: 2, count: 16)
        let rest: [UInt8] = [0x40, 0x40, 0xf4, 0x80, 0x58, 30] + [UInt8](repeating: 3, count: 30)
        let numbers: [[UInt8]] = [
            [0], [1], [23], [24, 23], [24, 24], [24, 255], [25, 0, 255], [25, 1, 0],
            [25, 255, 255], [26, 0, 0, 255, 255], [26, 0, 1, 0, 0], [26, 255, 255, 255, 255],
            [27, 0, 0, 0, 0, 255, 255, 255, 255], [27, 0, 0, 0, 1, 0, 0, 0, 0],
            [27, 0, 0, 255, 255, 255, 255, 255, 255], [27, 0, 1, 0, 0, 0, 0, 0, 0],
            [27, 255, 255, 255, 255, 255, 255, 255, 255], [28], [32], [31],
        ]
        for sequence in numbers {
            for revision in numbers {
                let bytes = prefix + sequence + revision + rest
                #expect(general(bytes) == EnvelopeItems.usual(Slice(bytes)))
            }
        }
    }
}
