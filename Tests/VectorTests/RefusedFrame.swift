import ParleyCore

/// A frame that is well encoded and that every reader refuses with a `goodbye`.
struct RefusedFrame {
    let name: String
    let type: FrameType
    let body: Item
    var goodbye = GoodbyeReason.malformed

    private init(_ name: String, _ type: FrameType, _ items: [(UInt64, Item)]) {
        self.name = name
        self.type = type
        body = .map(nil, items)
    }

    /// Header and body.
    var bytes: [UInt8] {
        get throws {
            let content = try body.encoded()
            var bytes: [UInt8] = []
            FrameHeader(length: content.count, type: type.rawValue).append(to: &bytes)
            return bytes + content
        }
    }

    static let all = link + haves + wants + lists + pairing + positions + signals + knocks

    // MARK: The link

    private static let link = [
        RefusedFrame(
            "hello, takes too short frames",
            .hello,
            [
                (1, .text("magic", "parley")), (3, .number("lowest version", 1)),
                (5, .number("highest version", 1)), (7, .text("software", "parley 1.0")),
                (9, .text("device name", "kitchen")), (11, .number("process nonce", 1)),
                (13, .number("frame bytes", 262_143)), (15, .number("features", 0)),
            ]
        ),
        RefusedFrame("goodbye, no key 2", .goodbye, [(1, .number("reason", 1))]),
        RefusedFrame("conversations, no tags", .conversations, [(1, .bytes("tags", zeros(0)))]),
        RefusedFrame(
            "conversations, seven tags",
            .conversations,
            [(1, .bytes("tags", (0..<7).flatMap { sixteen(from: $0 << 4).bytes }))]
        ),
        RefusedFrame(
            "stored, full is false",
            .stored,
            [
                (1, .number("conversation", 0)), (3, .number("position", 41)),
                (5, .bool("full", false)),
            ]
        ),
        RefusedFrame("spare, neither 0 nor 1", .spare, [(1, .number("spare", 2))]),
    ]

    // MARK: The feed

    private static let haves = [
        entries("have, no entries", .have, zeros(0)),
        entries("have, a watermark without a position", .have, entry()),
        entries("have, a watermark with a tag", .have, entry(position: 43, tag: 1)),
        entries("have, a watermark with a revision", .have, entry(position: 43, revision: 1)),
        entries("have, a watermark with a digest", .have, entry(position: 43, digest: 1)),
        entries(
            "have, a request without a position",
            .have,
            entry(position: 1 << 63, sequence: 1, revision: 1)
        ),
        entries("have, not found with a position", .have, entry(position: 43, sequence: 1)),
    ]

    private static let wants = [
        entries("want, no entries", .want, zeros(0)),
        entries("want, a watermark", .want, entry(position: 43)),
        entries("want, not found", .want, entry(sequence: 1, digest: 1)),
    ]

    private static func entries(
        _ name: String,
        _ type: FrameType,
        _ packed: [UInt8]
    ) -> RefusedFrame {
        RefusedFrame(name, type, [(1, .number("conversation", 0)), (3, .bytes("entries", packed))])
    }

    private static func entry(
        position: UInt64 = 0,
        tag: UInt64 = 0,
        sequence: UInt64 = 0,
        revision: UInt64 = 0,
        digest: UInt64 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [position, tag, 0, 0, 0, sequence, revision, digest] {
            bytes.appendBigEndian(number)
        }
        return bytes
    }

    // MARK: Blobs and addresses

    private static let lists = [
        chunks("blobWant, no chunks", []),
        chunks("blobWant, a chunk twice", [1, 1]),
        RefusedFrame(
            "peers, no addresses",
            .peers,
            [(1, .number("conversation", 0)), (3, .array("peers", []))]
        ),
        guest("origin, seat 0", [.number("seat", 0)]),
        guest("origin, seat 65", [.number("seat", 65)]),
        guest("origin, no seat", []),
    ]

    private static func guest(_ name: String, _ seat: [Item]) -> RefusedFrame {
        RefusedFrame(
            name,
            .origin,
            [
                (1, .number("conversation", 0)), (3, .bytes("device key", zeros(32))),
                (5, .number("epoch", 1)), (7, .bytes("certificate", zeros(64))),
                (
                    11,
                    .array(
                        "host",
                        [.bytes("device key", zeros(32)), .bytes("certificate", zeros(64))] + seat
                    )
                ),
            ]
        )
    }

    private static func chunks(_ name: String, _ indices: [UInt64]) -> RefusedFrame {
        RefusedFrame(
            name,
            .blobWant,
            [
                (1, .number("conversation", 0)), (3, .bytes("blob", thirtyTwo(from: 1))),
                (5, .array("chunks", indices.map { .number("index", $0) })),
            ]
        )
    }

    // MARK: Pairing

    private static let pairing = [
        pairing("pairing, a step that is not known", 7, 0),
        pairing("pairing, a short commitment", 1, 31),
        pairing("pairing, a long nonce", 2, 33),
        pairing("pairing, a confirmation with content", 3, 1),
        pairing("pairing, no invite", 4, 0),
        pairing("pairing, no reason", 5, 0),
        pairing("pairing, a reveal that offers", 2, 32, offers: true),
        pairing("pairing, offers is false", 1, 32, offers: false),
        pairing("pairing, no person", 6, 0),
    ]

    private static func pairing(
        _ name: String,
        _ step: UInt64,
        _ length: Int,
        offers: Bool? = nil
    ) -> RefusedFrame {
        RefusedFrame(
            name,
            .pairing,
            [(1, .number("step", step)), (3, .bytes("payload", zeros(length)))]
                + (offers.map { [(5, .bool("offers", $0))] } ?? [])
        )
    }

    // MARK: Positions

    /// The encoding allows them, but no node can have reached them.
    private static let positions = [
        RefusedFrame(
            "feed, a position of 2^62",
            .feed,
            [
                (1, .number("conversation", 0)), (3, .number("cursor's incarnation", 0)),
                (5, .number("cursor's position", 0)), (7, .number("own incarnation", 1)),
                (9, .number("own position", 1 << 62)),
            ]
        ).overLimit,
        RefusedFrame(
            "audit, a position of 2^62",
            .audit,
            [
                (1, .number("conversation", 0)), (3, .number("own position", 1 << 62)),
                (5, .number("peer's position", 0)), (7, .bytes("sums", zeros(2_048))),
            ]
        ).overLimit,
    ]

    // MARK: Signals

    private static let signals = [
        signal("signal, counter 0", counter: 0), signal("signal, 256 hops", hops: 256),
        signal("signal, 513 bytes", sealed: 513),
    ]

    private static func signal(
        _ name: String,
        counter: UInt64 = 1,
        hops: UInt64 = 0,
        sealed: Int = 28
    ) -> RefusedFrame {
        RefusedFrame(
            name,
            .signal,
            [
                (1, .number("conversation", 0)), (3, .bytes("origin", zeros(16))),
                (5, .number("counter", counter)), (7, .number("hops", hops)),
                (9, .bytes("sealed", zeros(sealed))), (11, .bytes("signature", zeros(64))),
            ]
        )
    }

    // MARK: Knocks and admissions

    private static let knocks = [
        knock("knock, 31 bytes", step: 1, 31), knock("knock, step 4", step: 4, 1),
        knock("knock, no reason", step: 3, 0), members("members, no record", []),
        members("members, an admission of 132 bytes", [(3, 132)]),
        members("members, an admission as role 0", [(3, 133)]),
        members(
            "members, 65 records",
            [(UInt64, Int)](repeating: (7, 1), count: 65)
        ),
    ]

    private static func knock(_ name: String, step: UInt64, _ bytes: Int) -> RefusedFrame {
        RefusedFrame(
            name,
            .knock,
            [
                (1, .number("step", step)), (3, .number("invite", 1)),
                (5, .bytes("payload", zeros(bytes))),
            ]
        )
    }

    private static func members(_ name: String, _ records: [(UInt64, Int)]) -> RefusedFrame {
        let items = records.map { kind, bytes in
            Item.array("entry", [.number("kind", kind), .bytes("record", zeros(bytes))])
        }
        return RefusedFrame(
            name,
            .members,
            [(1, .number("conversation", 0)), (3, .array("records", items))]
        )
    }

    private var overLimit: RefusedFrame {
        var frame = self
        frame.goodbye = .overLimit
        return frame
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
