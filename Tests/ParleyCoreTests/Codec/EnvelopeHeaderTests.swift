import ParleyCore
import ParleyFaults
import Testing

/// The header of an envelope has one encoding, within the limits of the protocol.
@Suite struct EnvelopeHeaderTests {
    @Test(arguments: 0..<UInt64(200))
    func roundTrips(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let header = random.header()
        let bytes = header.encoded()
        #expect(try EnvelopeHeader(decoding: Slice(bytes)) == header)
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
            #expect(throws: CodecError.truncated) {
                try EnvelopeHeader(decoding: Slice(bytes)[0..<count])
            }
        }
    }

    @Test func isWrittenThisWay() {
        let header = EnvelopeHeader(
            tag: SessionTag(Bytes16(0, 1)),
            dot: Dot(origin: OriginID(Bytes16(0, 2)), sequence: 3),
            revision: 1_000,
            context: [Dot(origin: OriginID(Bytes16(0, 1)), sequence: 9)],
            next: [ParticipantID(Bytes16(0, 4))],
            isTombstone: true,
            blobs: [BlobReference(id: BlobID(Bytes32(0, 0, 0, 5)), size: 4_194_304)]
        )
        let zeros = String(repeating: "0", count: 30)
        let expected = [
            "88", "50\(zeros)01", "50\(zeros)02", "03", "1903e8",
            "5818\(zeros)010000000000000009", "50\(zeros)04", "f5",
            "8182", "5820\(zeros)\(zeros)0005", "1a00400000",
        ].joined()
        #expect(Hexadecimal.text(header.encoded()) == expected)
    }

    @Test func itemsAppendedLaterArePassedOver() throws {
        var parts = HeaderParts()
        parts.items.append(Item.bytes([UInt8](repeating: 7, count: 8)))
        let known = parts.bytes
        parts.items += [Item.text("later"), Item.array([[1], Item.yes])]
        let header = try EnvelopeHeader(decoding: Slice(parts.bytes))
        #expect(header.generation == 0x0707_0707_0707_0707)
        #expect(header.encoded() == known)
        parts.items[10] = Item.null
        #expect(throws: CodecError.unsupportedType(0xf6)) {
            try EnvelopeHeader(decoding: Slice(parts.bytes))
        }
    }

    @Test func takesTheHighestOfEverything() throws {
        let most = Limits.sequenceEnd - 1
        var parts = HeaderParts()
        parts.items[2] = Item.number(most)
        parts.items[3] = Item.number(most)
        parts.items[4] = Item.bytes((1...256).flatMap { HeaderParts.element($0, most) })
        parts.items[5] = Item.bytes([UInt8](repeating: 0, count: 16 * 16))
        parts.items[7] = Item.array((0..<8).map { _ in HeaderParts.blob(4 << 20) })
        let header = try EnvelopeHeader(decoding: Slice(parts.bytes))
        #expect(header.context.count == 256)
        #expect(header.next.count == 16)
        #expect(header.blobs.count == 8)
    }

    @Test(arguments: HeaderRefusal.all)
    func refuses(_ refusal: HeaderRefusal) {
        var parts = HeaderParts()
        parts.items[refusal.index] = refusal.item
        #expect(throws: refusal.error) { try EnvelopeHeader(decoding: Slice(parts.bytes)) }
    }

    @Test func needsAllItems() {
        var parts = HeaderParts()
        parts.items.removeLast()
        #expect(throws: CodecError.wrongLength) {
            try EnvelopeHeader(decoding: Slice(parts.bytes))
        }
        let bytes = HeaderParts().bytes
        #expect(throws: CodecError.trailingBytes) {
            try EnvelopeHeader(decoding: Slice(bytes + [0]))
        }
    }
}

/// The items of a plain header, each its own bytes; its origin ends with 100.
struct HeaderParts {
    var items: [[UInt8]] = [
        Item.bytes([UInt8](repeating: 0, count: 16)),
        Item.bytes([UInt8](repeating: 0, count: 15) + [100]),
        Item.number(1),
        Item.number(1),
        Item.bytes([]),
        Item.bytes([]),
        Item.no,
        Item.array([]),
    ]

    var bytes: [UInt8] { Item.array(items) }

    /// An element of the context whose origin is that number, above 255 with another first byte.
    static func element(_ origin: Int, _ sequence: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(UInt64(origin))
        bytes.appendBigEndian(UInt64(0))
        bytes.appendBigEndian(sequence)
        return bytes
    }

    static func blob(_ size: UInt64) -> [UInt8] {
        Item.array([Item.bytes([UInt8](repeating: 0, count: 32)), Item.number(size)])
    }
}

/// An item that has to be refused in a header that is legal else.
struct HeaderRefusal: Sendable, CustomTestStringConvertible {
    let index: Int
    let item: [UInt8]
    let error: CodecError

    init(_ index: Int, _ item: [UInt8], _ error: CodecError) {
        self.index = index
        self.item = item
        self.error = error
    }

    var testDescription: String {
        "item \(index) \(Hexadecimal.text(Array(item.prefix(8)))): \(error)"
    }

    static let all = numbers + lists + blobs

    private static let end = Item.number(Limits.sequenceEnd)

    private static let numbers = [
        HeaderRefusal(0, zeros(15), .wrongLength),
        HeaderRefusal(0, zeros(17), .wrongLength),
        HeaderRefusal(0, Item.text("0123456789abcdef"), .wrongType),
        HeaderRefusal(1, zeros(15), .wrongLength),
        HeaderRefusal(2, Item.number(0), .outOfRange),
        HeaderRefusal(2, end, .outOfRange),
        HeaderRefusal(2, [0x20], .wrongType),
        HeaderRefusal(3, Item.number(0), .outOfRange),
        HeaderRefusal(3, end, .outOfRange),
        HeaderRefusal(6, Item.number(0), .wrongType),
        HeaderRefusal(6, Item.null, .unsupportedType(0xf6)),
    ]

    private static let lists = [
        HeaderRefusal(4, zeros(23), .wrongLength),
        HeaderRefusal(4, Item.bytes(element(1, 0)), .outOfRange),
        HeaderRefusal(4, Item.bytes(element(1, Limits.sequenceEnd)), .outOfRange),
        HeaderRefusal(4, Item.bytes(element(2, 1) + element(1, 1)), .notAscending),
        HeaderRefusal(4, Item.bytes(element(2, 1) + element(2, 2)), .notAscending),
        HeaderRefusal(4, Item.bytes(ownOrigin), .outOfRange),
        HeaderRefusal(4, Item.bytes((1...257).flatMap { element($0, 1) }), .tooLong),
        HeaderRefusal(5, zeros(17), .wrongLength),
        HeaderRefusal(5, zeros(17 * 16), .tooLong),
    ]

    private static let blobs = [
        HeaderRefusal(7, Item.array([HeaderParts.blob(0)]), .outOfRange),
        HeaderRefusal(7, Item.array([HeaderParts.blob((4 << 20) + 1)]), .outOfRange),
        HeaderRefusal(7, Item.array((0..<9).map { _ in HeaderParts.blob(1) }), .tooLong),
        HeaderRefusal(7, Item.array([Item.array([zeros(32)])]), .wrongLength),
        HeaderRefusal(7, Item.array([Item.array([zeros(31), [1]])]), .wrongLength),
        HeaderRefusal(7, Item.array([Item.array([zeros(32), [1], [1]])]), .wrongLength),
        HeaderRefusal(7, Item.array([[1]]), .wrongType),
    ]

    private static let ownOrigin =
        [UInt8](repeating: 0, count: 15) + [100, 0, 0, 0, 0, 0, 0, 0, 1]

    private static func element(_ origin: Int, _ sequence: UInt64) -> [UInt8] {
        HeaderParts.element(origin, sequence)
    }

    private static func zeros(_ count: Int) -> [UInt8] {
        Item.bytes([UInt8](repeating: 0, count: count))
    }
}
