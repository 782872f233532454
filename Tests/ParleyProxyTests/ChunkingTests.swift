import ParleyProxy
import TestSupport
import Testing

/// The faults are a function of the byte: the pieces in which a stream is read change nothing.
struct ChunkingTests {
    /// A stream whose bytes come at a few moments.
    struct Stream {
        var bursts: [(milliseconds: Double, bytes: [UInt8])] = []

        init(_ random: inout SeededRandom) {
            var time = 0.0
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                time += Double.random(in: 0...40, using: &random).rounded()
                let count = Int.random(in: 1...6_000, using: &random)
                bursts.append(
                    (time, (0..<count).map { _ in UInt8.random(in: 97...122, using: &random) })
                )
            }
        }
    }

    static let kinds: [ToxicKind] = ToxicKind.allCases.filter { $0 != .refuse && $0 != .slowAccept }

    @Test(arguments: kinds)
    func theSameSeedHasTheSameFaultsInAnyPieces(kind: ToxicKind) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let stream = Stream(&random)
            let toxic = try Self.toxic(kind, &random)
            let whole = run([toxic], stream, seed: seed) { $0 = Int.max }
            for _ in 0..<2 {
                var pieces = random
                let cut = run([toxic], stream, seed: seed) {
                    $0 = Int.random(in: 1...900, using: &pieces)
                }
                #expect(difference(cut, whole) == nil)
                let areEqual = Self.acts(cut.faults) == Self.acts(whole.faults)
                #expect(areEqual)
                _ = random.next()
            }
        }
    }

    @Test func chainsOfToxicsHaveTheSameFaultsInAnyPieces() throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let stream = Stream(&random)
            var toxics: [Toxic] = []
            for number in 0..<Int.random(in: 2...4, using: &random) {
                let kind = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &random)]
                toxics.append(try Self.toxic(kind, name: "\(number)", &random))
            }
            let whole = run(toxics, stream, seed: seed) { $0 = Int.max }
            var pieces = random
            let cut = run(toxics, stream, seed: seed) {
                $0 = Int.random(in: 1...1_500, using: &pieces)
            }
            #expect(difference(cut, whole) == nil, "seed \(seed): \(toxics.map(\.kind))")
        }
    }

    @Test func anotherSeedHasOtherFaults() throws {
        let toxic = try Toxic.make(.corrupt, ["rate": .number(0.01)])
        var random = SeededRandom(seed: 9)
        let stream = Stream(&random)
        let one = run([toxic], stream, seed: 1) { $0 = Int.max }
        let other = run([toxic], stream, seed: 2) { $0 = Int.max }
        #expect(difference(one, other) != nil)
    }

    @Test(arguments: [("byte", 0.05), ("bit", 0.02)])
    func theRateIsTheShareOfWhatIsDamaged(unit: String, rate: Double) throws {
        let toxic = try Toxic.make(.corrupt, ["rate": .number(rate), "unit": .word(unit)])
        var run = ChainRun(seed: 3, [toxic])
        let zeros = [UInt8](repeating: 0, count: 40_000)
        run.send(zeros, at: 0)
        let damaged =
            unit == "bit"
            ? run.bytes.reduce(0) { $0 + $1.nonzeroBitCount } : run.bytes.count { $0 != 0 }
        let expected = rate * Double(unit == "bit" ? 320_000 : 40_000)
        #expect(abs(Double(damaged) - expected) < expected * 0.1)
    }

    @Test func nothingIsLostAndOrderStaysWhateverIsAddedChangedAndRemoved() throws {
        let harmless: [ToxicKind] = [
            .latency, .bandwidth, .slicer, .drip, .loss, .slowClose, .noop,
        ]
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let stream = Stream(&random)
            var run = ChainRun(seed: seed, [])
            var names: [String: ToxicKind] = [:]
            for (number, burst) in stream.bursts.enumerated() {
                run.send(burst.bytes, at: burst.milliseconds)
                let kind = harmless[Int.random(in: 0..<harmless.count, using: &random)]
                let name = "\(number)"
                run.add(try Self.toxic(kind, name: name, &random))
                names[name] = kind
                guard let known = names.keys.sorted().randomElement(using: &random) else {
                    continue
                }
                if Bool.random(using: &random), let kind = names[known] {
                    run.change(
                        to: try Self.toxic(kind, name: known, &random),
                        at: burst.milliseconds
                    )
                } else {
                    run.remove(known, at: burst.milliseconds)
                    names[known] = nil
                }
            }
            let end = stream.bursts.last?.milliseconds ?? 0
            run.send(.end, at: end)
            for name in names.keys.sorted() { run.remove(name, at: end) }
            let isWhole = run.bytes == stream.bursts.flatMap(\.bytes)
            #expect(isWhole)
            #expect(run.outputs.last?.what == .mark(.end))
        }
    }

    // MARK: Parts

    /// The first byte or mark that is not the same.
    private func difference(_ one: ChainRun, _ other: ChainRun) -> String? {
        let index = zip(one.outputs, other.outputs).enumerated().first { $1.0 != $1.1 }?.offset
        if let index { return "\(index): \(one.outputs[index]), \(other.outputs[index])" }
        let counts = (one.outputs.count, other.outputs.count)
        return counts.0 == counts.1 ? nil : "\(counts.0) or \(counts.1) outputs"
    }

    /// The faults without what was dropped, which is counted by piece.
    private static func acts(_ faults: [ChainFault]) -> [ChainFault] {
        faults.filter { if case .dropped = $0.act { false } else { true } }
    }

    private func run(
        _ toxics: [Toxic],
        _ stream: Stream,
        seed: UInt64,
        _ size: (inout Int) -> Void
    ) -> ChainRun {
        var run = ChainRun(seed: seed, toxics)
        for burst in stream.bursts {
            var left = burst.bytes[...]
            while !left.isEmpty {
                var count = Int.max
                size(&count)
                run.send(left.prefix(count), at: burst.milliseconds)
                left = left.dropFirst(count)
            }
        }
        run.send(.end, at: (stream.bursts.last?.milliseconds ?? 0) + 1)
        run.run(to: 1e6)
        return run
    }

    /// A toxic with attributes that have an effect on streams of a few kilobytes.
    private static func toxic(
        _ kind: ToxicKind,
        name: String? = nil,
        _ random: inout SeededRandom
    ) throws -> Toxic {
        func some(_ range: ClosedRange<Int64>) -> AttributeValue {
            .integer(.random(in: range, using: &random))
        }
        let attributes: [String: AttributeValue] =
            switch kind {
            case .latency: ["latency": some(10...60), "jitter": some(0...40)]
            case .bandwidth: ["rate": some(50...2_000)]
            case .slowClose: ["delay": some(1...50)]
            case .timeout, .resetPeer: ["timeout": some(1...100)]
            case .slicer:
                [
                    "average_size": some(10...400), "size_variation": some(0...9),
                    "delay": some(0...90),
                ]
            case .limitData: ["bytes": some(1...9_000)]
            case .limitTime: ["time": some(1...100)]
            case .packetLoss, .loss: ["loss_rate": .number(0.3)]
            case .corrupt: ["rate": .number(0.02)]
            case .drip: ["size": some(500...5_000), "interval": some(1...9)]
            case .halfOpen, .noop, .refuse, .slowAccept: [:]
            }
        return try .make(kind, attributes, name: name)
    }
}
