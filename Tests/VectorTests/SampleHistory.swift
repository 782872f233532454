/// The history of a session: its messages with their authors and contexts.
struct SampleHistory {
    let name: String
    let writes: [Write]
    var isOrderFree = true

    /// An envelope by an origin that is one byte sixteen times, with a digest that is one byte
    /// thirty-two times.
    struct Write {
        let name: String
        let origin: UInt8
        let sequence: UInt64
        let revision: UInt64
        let context: [(UInt8, UInt64)]
        let digest: UInt8

        init(
            _ name: String,
            _ origin: UInt8,
            _ sequence: UInt64,
            revision: UInt64,
            context: [(UInt8, UInt64)] = [],
            digest: UInt8
        ) {
            self.name = name
            self.origin = origin
            self.sequence = sequence
            self.revision = revision
            self.context = context
            self.digest = digest
        }
    }

    static let all = [line, conflict, settled, late, own, equivocation, future, byzantine, many]

    private static let a: UInt8 = 0xaa
    private static let b: UInt8 = 0xbb
    private static let c: UInt8 = 0xcc

    private static let first = Write("a1", a, 1, revision: 1, digest: 0x11)
    private static let reply = Write("b1", b, 1, revision: 2, context: [(a, 1)], digest: 0x22)
    private static let rival = Write("c1", c, 1, revision: 2, context: [(a, 1)], digest: 0x33)

    private static let line = SampleHistory(
        name: "each replaces the one before",
        writes: [first, reply, Write("a2", a, 2, revision: 3, context: [(b, 1)], digest: 0x44)]
    )

    private static let conflict = SampleHistory(
        name: "two replace the same",
        writes: [first, reply, rival]
    )

    private static let settled = SampleHistory(
        name: "a conflict is settled by who has seen both",
        writes: [
            first, reply, rival,
            Write("a2", a, 2, revision: 3, context: [(b, 1), (c, 1)], digest: 0x44),
        ]
    )

    private static let late = SampleHistory(
        name: "a conflict is continued by who has seen one side",
        writes: [
            first, reply, rival,
            Write("b2", b, 2, revision: 3, context: [(a, 1)], digest: 0x44),
        ]
    )

    /// Both revisions and tie breaks are the same; the later one has the lower digest.
    private static let own = SampleHistory(
        name: "two of one origin that do not replace one another by revision",
        writes: [
            Write("a1", a, 1, revision: 1, digest: 0x22),
            Write("a2", a, 2, revision: 1, digest: 0x11),
        ]
    )

    private static let equivocation = SampleHistory(
        name: "two envelopes under one dot",
        writes: [
            Write("lower", a, 1, revision: 1, digest: 0x11),
            Write("higher", a, 1, revision: 1, digest: 0x22),
        ]
    )

    private static let future = SampleHistory(
        name: "a claim to have seen what is higher replaces nothing",
        writes: [
            Write("b1", b, 1, revision: 1, context: [(a, 9)], digest: 0x11),
            Write("a5", a, 5, revision: 2, digest: 0x22),
        ]
    )

    /// The message of the Byzantine writer is replaced by `last`, and still replaces `first`, which
    /// is not in the context of `last`.
    ///
    /// The vectors have the name `liar`, which other implementations may refer to.
    private static let byzantine = SampleHistory(
        name: "what is replaced replaces still, when it arrives",
        writes: [
            Write("first", a, 1, revision: 1, digest: 0x11),
            Write("last", c, 1, revision: 3, context: [(b, 1)], digest: 0x33),
            Write("liar", b, 1, revision: 2, context: [(a, 1)], digest: 0x22),
        ],
        isOrderFree: false
    )

    private static let many = SampleHistory(
        name: "beyond 64 heads the lowest go",
        writes: (1...66).map { number in
            Write(
                "\(number)",
                UInt8(number),
                1,
                revision: number == 7 ? 2 : 1,
                digest: UInt8(number)
            )
        }
    )
}
