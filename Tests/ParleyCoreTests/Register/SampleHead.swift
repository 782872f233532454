import ParleyCore
import ParleyFaults

/// A writer by its number.
extension OriginID {
    init(writer: Int) {
        self.init(Bytes16(UInt64(writer) + 1, 0))
    }
}

extension Dot {
    init(_ writer: Int, _ sequence: UInt64) {
        self.init(origin: OriginID(writer: writer), sequence: sequence)
    }
}

extension Head {
    /// A head whose tie-break and digest follow from the rest, as hashes would.
    ///
    /// There are few tie-breaks, so that digests decide as well. `content` makes another digest.
    init(
        writer: Int,
        sequence: UInt64,
        revision: UInt64,
        context: [Int: UInt64] = [:],
        content: UInt64 = 0
    ) {
        self.init(
            dot: Dot(writer, sequence),
            revision: revision,
            context: context.map { Dot($0.key, $0.value) }.sorted(),
            content: content
        )
    }

    /// The same from a context that is in order.
    init(dot: Dot, revision: UInt64, context: [Dot], content: UInt64 = 0) {
        var hash = SampleHash()
        for other in context + [Dot(origin: dot.origin, sequence: 0)] {
            hash.add(other.origin.value.words.0)
            hash.add(other.sequence)
        }
        let tieBreak = hash.value & 3
        hash.add(dot.sequence)
        hash.add(revision)
        hash.add(content)
        self.init(
            dot: dot,
            revision: revision,
            context: context,
            tieBreak: Bytes16(tieBreak, 0),
            digest: Bytes32(hash.value, content, dot.sequence, dot.origin.value.words.0)
        )
    }
}

/// The same number for the same input in every process, unlike `Hasher`.
private struct SampleHash {
    private(set) var value: UInt64 = 0

    mutating func add(_ number: UInt64) {
        var random = SeededRandom(seed: value ^ number)
        value = random.next()
    }
}
