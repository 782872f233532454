import ParleyCore
import ParleyFaults
import Testing

/// The body of a message has one encoding, within the limits of the protocol.
@Suite struct MessageBodyTests {
    @Test(arguments: 0..<UInt64(200))
    func roundTrips(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let body = random.body()
        let bytes = body.encoded()
        #expect(try MessageBody(decoding: Slice(bytes)) == body)
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
            #expect(throws: CodecError.truncated) {
                try MessageBody(decoding: Slice(bytes)[0..<count])
            }
        }
    }

    @Test func isWrittenThisWay() throws {
        let body = MessageBody(
            session: SessionUUID(Bytes16(0, 1)),
            place: 2,
            sentAt: -1,
            app: "a",
            url: "b:",
            summaryText: "s",
            accessibilityLabel: "l",
            shouldExpire: true,
            layout: .live(
                alternate: TemplateLayout(caption: "c", imageSubtitle: "i", image: .inline)
            ),
            placement: StickerPlacement(
                on: Dot(origin: OriginID(Bytes16(0, 6)), sequence: 7),
                x: 0,
                y: 10_000
            ),
            blobTypes: [PictureDescription(type: "t", hash: Bytes32(0, 0, 0, 3), size: 4)],
            inline: InlinePicture(type: "p", bytes: Slice([5])),
            deviceName: "d"
        )
        let zeros = String(repeating: "0", count: 30)
        let expected = [
            "ad", "0150\(zeros)01", "026173", "0302", "04616c", "0520",
            "06818361745820\(zeros)\(zeros)000304", "076161", "088261704105", "0962623a",
            "0a6164", "0ba2010103a401000261630c61690e20",
            "0ca3015818\(zeros)060000000000000007030005192710", "0df5",
        ].joined()
        #expect(Hexadecimal.text(body.encoded()) == expected)
        let least = MessageBody(session: SessionUUID(Bytes16(0, 1)), place: 2, sentAt: 0)
        #expect(Hexadecimal.text(least.encoded()) == "a40150\(zeros)01030205000760")
    }

    /// To an app, an empty text is another value than none.
    @Test func emptyTextsAreKept() throws {
        let empty = MessageBody(
            session: SessionUUID(.zero),
            place: 1,
            sentAt: 0,
            app: "",
            url: "",
            summaryText: "",
            accessibilityLabel: "",
            layout: .template(TemplateLayout(caption: "", imageSubtitle: ""))
        )
        let read = try MessageBody(decoding: Slice(empty.encoded()))
        #expect(read == empty)
        #expect(read.summaryText == "")
    }

    @Test func textsAreKeptByteForByte() throws {
        let composed = "\u{e9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        for text in [composed, decomposed] {
            let body = MessageBody(session: SessionUUID(.zero), place: 1, sentAt: 0, url: text)
            let read = try MessageBody(decoding: Slice(body.encoded()))
            #expect(read.url.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func evenKeysMoreArePassedOverAndOddOnesRefused() throws {
        let body = MessageBody(
            session: SessionUUID(.zero),
            place: 1,
            sentAt: 0,
            layout: .template(TemplateLayout())
        )
        let map = try RawMap(body.encoded())
        for key in [0] as [UInt8] {
            #expect(try MessageBody(decoding: Slice(map.with(key, Item.yes))) == body)
        }
        for key in [15, 23] as [UInt8] {
            #expect(throws: CodecError.unknownKey(UInt64(key))) {
                try MessageBody(decoding: Slice(map.with(key, Item.yes)))
            }
        }
        let placement = StickerPlacement(
            on: Dot(origin: OriginID(Bytes16(0, 6)), sequence: 7),
            x: 1,
            y: 2
        )
        let placed = try MessageBody(
            decoding: Slice(map.with(12, BodyRefusal.placement(x: 1, y: 2, more: [8, 0xf5])))
        )
        #expect(placed.placement == placement)
        let layout = try RawMap([0xa1, 1, 0])
        for key in [0, 16] as [UInt8] {
            let changed = map.with(11, layout.with(key, Item.yes))
            #expect(try MessageBody(decoding: Slice(changed)) == body)
        }
    }

    @Test(arguments: [1, 3, 5, 7] as [UInt8])
    func needs(key: UInt8) throws {
        let body = MessageBody(session: SessionUUID(.zero), place: 1, sentAt: 0)
        let map = try RawMap(body.encoded())
        #expect(throws: CodecError.missingKey(UInt64(key))) {
            try MessageBody(decoding: Slice(map.without(key)))
        }
    }

    @Test(arguments: BodyRefusal.all)
    func refuses(_ refusal: BodyRefusal) throws {
        let body = MessageBody(session: SessionUUID(.zero), place: 1, sentAt: 0)
        let map = try RawMap(body.encoded())
        #expect(throws: refusal.error) {
            try MessageBody(decoding: Slice(map.with(refusal.key, refusal.value)))
        }
    }
}

/// A value that has to be refused under one key of a body that is legal else.
struct BodyRefusal: Sendable, CustomTestStringConvertible {
    let key: UInt8
    let value: [UInt8]
    let error: CodecError

    init(_ key: UInt8, _ value: [UInt8], _ error: CodecError) {
        self.key = key
        self.value = value
        self.error = error
    }

    var testDescription: String {
        "key \(key) \(Hexadecimal.text(Array(value.prefix(8)))): \(error)"
    }

    static let all = plain + pictures + layouts + placements

    private static let plain = [
        BodyRefusal(1, zeros(15), .wrongLength),
        BodyRefusal(2, letters(257), .tooLong),
        BodyRefusal(2, [0x61, 0x80], .invalidUTF8),
        BodyRefusal(3, Item.number(0), .outOfRange),
        BodyRefusal(3, Item.number(Limits.sequenceEnd), .outOfRange),
        BodyRefusal(4, letters(1_025), .tooLong),
        BodyRefusal(5, Item.number(1 << 63), .outOfRange),
        BodyRefusal(7, letters(256), .tooLong),
        BodyRefusal(9, letters(20_001), .tooLong),
        BodyRefusal(10, letters(0), .wrongLength),
        BodyRefusal(10, letters(65), .tooLong),
        BodyRefusal(13, Item.no, .outOfRange),
        BodyRefusal(13, Item.number(1), .wrongType),
    ]

    private static let pictures = [
        BodyRefusal(6, Item.array([]), .wrongLength),
        BodyRefusal(6, Item.array([[UInt8]](repeating: picture(1), count: 9)), .tooLong),
        BodyRefusal(6, Item.array([picture((4 << 20) + 1)]), .outOfRange),
        BodyRefusal(6, Item.array([Item.array([letters(3), zeros(32)])]), .wrongLength),
        BodyRefusal(6, Item.array([Item.array([letters(128), zeros(32), [1]])]), .tooLong),
        BodyRefusal(8, Item.array([letters(128), zeros(1)]), .tooLong),
        BodyRefusal(8, Item.array([letters(3), zeros(8_193)]), .tooLong),
        BodyRefusal(8, Item.array([letters(3)]), .wrongLength),
    ]

    private static let layouts = [
        BodyRefusal(11, [0xa0], .missingKey(1)),
        BodyRefusal(11, [0xa1, 1, 2], .outOfRange),
        BodyRefusal(11, [0xa2, 1, 0, 3, 0xa1, 1, 0], .unknownKey(3)),
        BodyRefusal(11, [0xa2, 1, 0, 15, 0], .unknownKey(15)),
        BodyRefusal(11, [0xa1, 1, 1], .missingKey(3)),
        BodyRefusal(11, [0xa2, 1, 1, 3, 0xa0], .missingKey(1)),
        BodyRefusal(11, [0xa2, 1, 1, 3, 0xa2, 1, 1, 3, 0xa1, 1, 0], .outOfRange),
        BodyRefusal(11, [0xa2, 1, 0, 2] + letters(1_025), .tooLong),
        BodyRefusal(11, [0xa2, 1, 0, 14, 0x20], .outOfRange),
        BodyRefusal(11, [0xa2, 1, 0, 14, 0x21], .outOfRange),
        BodyRefusal(11, [0xa2, 1, 0, 14, 0], .outOfRange),
        BodyRefusal(11, [0xa2, 1, 0, 14, 8], .outOfRange),
        BodyRefusal(11, [0x81, 0], .wrongType),
    ]

    private static let placements = [
        BodyRefusal(12, Item.yes, .wrongType),
        BodyRefusal(12, [0xa0], .missingKey(1)),
        BodyRefusal(12, placement(dot: [], x: 1, y: 1), .wrongLength),
        BodyRefusal(12, placement(dot: dot(1).dropLast(), x: 1, y: 1), .wrongLength),
        BodyRefusal(12, placement(dot: dot(1) + dot(2), x: 1, y: 1), .tooLong),
        BodyRefusal(12, placement(dot: dot(0), x: 1, y: 1), .outOfRange),
        BodyRefusal(12, placement(dot: dot(Limits.sequenceEnd), x: 1, y: 1), .outOfRange),
        BodyRefusal(12, placement(x: 10_001, y: 0), .outOfRange),
        BodyRefusal(12, placement(x: 0, y: 10_001), .outOfRange),
        BodyRefusal(12, [0xa2, 1] + Item.bytes(dot(1)) + [3, 0x20], .wrongType),
        BodyRefusal(12, [0xa2, 1] + Item.bytes(dot(1)) + [3, 1], .missingKey(5)),
        BodyRefusal(12, placement(x: 0, y: 0, more: [7, 0]), .unknownKey(7)),
    ]

    /// An encoded placement, with the bytes of another key and its value at the end.
    static func placement(
        dot: [UInt8] = dot(7),
        x: UInt64,
        y: UInt64,
        more: [UInt8] = []
    ) -> [UInt8] {
        let head: UInt8 = more.isEmpty ? 0xa3 : 0xa4
        return [head, 1] + Item.bytes(dot) + [3] + Item.number(x) + [5] + Item.number(y) + more
    }

    private static func dot(_ sequence: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 15) + [6]
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: sequence >> UInt64(shift)))
        }
        return bytes
    }

    private static func letters(_ count: Int) -> [UInt8] {
        Item.text(String(repeating: "a", count: count))
    }

    private static func zeros(_ count: Int) -> [UInt8] {
        Item.bytes([UInt8](repeating: 0, count: count))
    }

    private static func picture(_ size: UInt64) -> [UInt8] {
        Item.array([letters(3), zeros(32), Item.number(size)])
    }
}
