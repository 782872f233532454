import ParleyCore
import ParleyFaults
import Testing

/// The usual merge does what the general merge does, to the last number.
///
/// An arrival whose session was not looked up takes the general path, so that two copies of a
/// conversation receive the same envelopes, each on a path of its own.
@Suite struct UsualMergeTests {
    /// Whether anybody reads on the node, and whether the quota is nearly used up.
    enum Node: CaseIterable {
        case reader, relay, full

        var sample: SampleConversation {
            var limits = Limits()
            if self == .full {
                limits.quota.conversation = KeptAmount(heads: 5, bytes: 2_000, origins: 3)
            }
            return SampleConversation(
                role: self == .relay ? .relay : .writer,
                writers: UsualMergeTests.writers,
                isStored: false,
                limits: limits
            )
        }
    }

    private static let writers = [
        SimulatedAuthor(writer: 2), SimulatedAuthor(writer: 3), SampleConversation.own,
    ]

    @Test(arguments: Node.allCases, 0..<UInt64(4))
    func bothPathsLeaveTheSameConversation(node: Node, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var general = node.sample
        var usual = node.sample
        var results: Set<String> = []
        for number in 1...80 {
            let envelope = try Self.envelope(after: general, &random)
            let link = LinkID(random.next() % 3)
            if random.chance(1, in: 10) {
                let entry = general.entry(envelope)
                general.want(entry, from: link)
                usual.want(entry, from: link)
            }
            let session = usual.conversation.sessions.numbers[envelope.header.tag]
            let expected = general.merge(envelope, from: link)
            #expect(usual.merge(envelope, from: link, in: session) == expected)
            results.insert("\(expected.result)")
            if number % 10 == 0, Self.parts(of: usual) != Self.parts(of: general) {
                let difference = Self.parts(of: usual).difference(from: Self.parts(of: general))
                Issue.record("\(number): \(difference)")
                return
            }
            if random.chance(1, in: 4) {
                general.writeAll()
                usual.writeAll()
            }
        }
        #expect(results.contains("changed"))
    }

    /// All values in a conversation; sorted, because a dictionary has no order of its own.
    private static func parts(of sample: SampleConversation) -> [Substring] {
        "\(sample)".split { !$0.isLetter && !$0.isNumber }.sorted()
    }

    /// A message in one of three sessions: in half of the cases the one that an honest writer would
    /// write next, else any earlier or later one, and in one case of six with something unusual.
    private static func envelope(
        after sample: SampleConversation,
        _ random: inout SeededRandom
    ) throws -> Envelope {
        let writer = writers[random.chance(2, in: 3) ? 0 : Int.random(in: 1..<3, using: &random)]
        let session = ["s", "t", "u"][Int.random(in: 0..<3, using: &random)]
        let number = sample.conversation.sessions.numbers[writer.tag(session)]
        let next = try number.flatMap {
            try sample.conversation.sessions[Int($0)].register.replacement(by: writer.origin)
        }
        let sequence = UInt64.random(in: 1...60, using: &random)
        let other = writers[1].dot(UInt64.random(in: 1...60, using: &random))
        let isHonest = random.chance(1, in: 2)
        let kind = random.chance(5, in: 6) ? -1 : Int.random(in: 0..<5, using: &random)
        return try writer.writes(
            session,
            sequence,
            revision: isHonest ? next?.revision ?? 1 : kind == 0 ? 7 : sequence,
            context: isHonest
                ? next?.context ?? [] : writer.origin == other.origin ? [] : [other],
            next: kind == 1 ? [writers[1].participant] : [],
            blobs: kind == 2 ? [BlobReference(sequence % 3)] : [],
            isTombstone: kind == 3,
            text: String(repeating: "x", count: kind == 4 ? 9_000 : Int(sequence)),
            place: sequence
        )
    }
}
