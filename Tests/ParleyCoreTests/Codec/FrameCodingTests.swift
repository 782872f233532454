import ParleyCore
import ParleyFaults
import Testing

/// Every frame comes back as it was, and nothing else passes for one.
@Suite struct FrameCodingTests {
    @Test(arguments: FrameType.allCases, 0..<UInt64(20))
    func roundTrips(type: FrameType, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let frame = random.frame(type)
        #expect(frame.type == type)
        var bytes: [UInt8] = [1, 2, 3]
        frame.append(to: &bytes)
        #expect(bytes[..<3] == [1, 2, 3])
        var parser = FrameParser()
        parser.append(Slice(bytes)[3..<bytes.count])
        let raw = try #require(try parser.next(frameBytesMax: Limits.frameBytes))
        #expect(raw.type == type.rawValue)
        #expect(try Frame(decoding: raw) == frame)
        #expect(parser.bufferedBytes == 0)
    }

    @Test(arguments: FrameType.allCases)
    func refusesEveryTruncation(type: FrameType) {
        var random = SeededRandom(seed: 5)
        let body = body(of: random.frame(type))
        let cuts = type == .envelope ? 0..<EnvelopeFrame.prefixBytes : 0..<body.count
        for count in cuts {
            #expect(throws: CodecError.truncated) { try decode(type, Array(body[..<count])) }
        }
    }

    @Test(arguments: FrameType.allCases.filter { $0 != .envelope })
    func needsItsKeysAndIgnoresEvenOnesMore(type: FrameType) throws {
        var random = SeededRandom(seed: 6)
        let frame = random.frame(type)
        let body = body(of: frame)
        let map = try RawMap(body)
        for (key, _) in map.entries where !isOptional(key, in: type) {
            #expect(throws: CodecError.missingKey(UInt64(key))) {
                try decode(type, map.without(key))
            }
        }
        for key in [0, 22] as [UInt8] {
            let more = map.with(key, [0xa1, 1, 0x81, 0x61, 0x61])
            #expect(try decode(type, more) == frame)
        }
        #expect(throws: CodecError.unknownKey(23)) { try decode(type, map.with(23, [0])) }
        #expect(throws: CodecError.trailingBytes) { try decode(type, body + [0]) }
        for (key, _) in map.entries where !isFlag(key, in: type) {
            #expect(throws: CodecError.wrongType) { try decode(type, map.with(key, Item.no)) }
        }
    }

    private func isFlag(_ key: UInt8, in type: FrameType) -> Bool {
        type == .stored && key == 5 || type == .members && key == 9
    }

    private func isOptional(_ key: UInt8, in type: FrameType) -> Bool {
        type == .stored && key == 5 || type == .origin && key == 11 || type == .members && key > 1
    }

    @Test func unknownTypesAreIgnoredIfEven() throws {
        for type in UInt8.min...UInt8.max where FrameType(rawValue: type) == nil {
            let raw = RawFrame(type: type, body: Slice([0xff]))
            if type.isMultiple(of: 2) {
                #expect(try Frame(decoding: raw) == nil)
            } else {
                #expect(throws: CodecError.unknownKind(type)) { try Frame(decoding: raw) }
            }
        }
    }

    @Test func unknownReasonsOfAGoodbyeAreOther() throws {
        let body = try RawMap(body(of: .goodbye(Goodbye(reason: .busy, text: "full"))))
        let frame = try decode(.goodbye, body.with(1, Item.number(1_000)))
        #expect(frame == .goodbye(Goodbye(reason: .other, text: "full")))
    }

    @Test(arguments: FieldRefusal.all)
    func refuses(_ refusal: FieldRefusal) throws {
        var random = SeededRandom(seed: 7)
        let isPairing = refusal.type == .pairing
        let frame = isPairing ? .pairing(.reveal(.zero)) : random.frame(refusal.type)
        let map = try RawMap(body(of: frame))
        #expect(throws: refusal.error) {
            try decode(refusal.type, map.with(refusal.key, refusal.value))
        }
    }

    @Test func helloVersionsAscend() throws {
        let hello = Hello(wireVersions: 3...4, software: "", deviceName: "", processNonce: 0)
        let map = try RawMap(body(of: .hello(hello)))
        #expect(throws: CodecError.outOfRange) { try decode(.hello, map.with(5, [2])) }
        #expect(throws: Never.self) { try decode(.hello, map.with(5, [3])) }
    }

    /// A later version may take longer frames.
    @Test func helloMayTakeLongerFrames() throws {
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "",
            deviceName: "",
            processNonce: 0
        )
        let map = try RawMap(body(of: .hello(hello)))
        for longest in [UInt64(Limits.frameBytes) + 1, .max] {
            #expect(try decode(.hello, map.with(13, Item.number(longest))) == .hello(hello))
        }
    }

    @Test func helloIsWrittenThisWay() {
        let hello = Hello(
            wireVersions: NodeConfiguration.spoken,
            software: "parley 1",
            deviceName: "pi",
            processNonce: 0x0102_0304_0506_0708,
            features: 0
        )
        let expected = [
            "a8", "01667061726c6579", "0302", "0502", "07687061726c65792031", "09627069",
            "0b1b0102030405060708", "0d1a00040000", "0f00",
        ].joined()
        #expect(Hexadecimal.text(body(of: .hello(hello))) == expected)
    }

    @Test func hostsAreWrittenThisWay() throws {
        let ada = SimulatedAuthor(writer: 2)
        for seat in [1, 24, 64] {
            let guest = ada.guest(9, at: seat)
            let map = try RawMap(body(of: guest.originFrame))
            let host = try #require(guest.record.host)
            let value = Item.array([
                Item.bytes(host.deviceKey.bytes), Item.bytes(host.certificate.bytes),
                Item.number(UInt64(seat)),
            ])
            #expect(map.entries.map(\.key) == [1, 3, 5, 7, 11])
            #expect(map.entries.last?.value == value)
            #expect(try decode(.origin, map.without(11)) != guest.originFrame)
        }
    }

    @Test func envelopesHaveAPrefix() throws {
        let envelope = Slice([1, 2, 3])
        var bytes: [UInt8] = []
        EnvelopeFrame.appendPrefix(
            to: &bytes,
            conversation: 0x0102_0304,
            hops: 5,
            position: 0x060708,
            envelopeCount: envelope.count
        )
        envelope.append(to: &bytes)
        let expected = "000013070102030405000000" + "0000000000060708010203"
        #expect(Hexadecimal.text(bytes) == expected)
        let body = Slice(Array(bytes[4...]))
        let frame = try EnvelopeFrame(decoding: body)
        #expect(frame.envelope.isPart(of: body))
        var request = body.bytes
        request[8] = 0x80
        let requested = try EnvelopeFrame(decoding: Slice(request))
        #expect([frame, requested].map(\.isAwaited) == [false, true])
        #expect(requested.position == frame.position)
        request.replaceSubrange(9..<16, with: repeatElement(0, count: 7))
        #expect(throws: CodecError.outOfRange) { try decode(.envelope, request) }
        for index in 5...7 {
            var changed = body.bytes
            changed[index] = 1
            #expect(throws: CodecError.outOfRange) { try decode(.envelope, changed) }
        }
    }

    @Test func haveEntriesArePackedThisWay() throws {
        let entry = HaveEntry(
            position: 1,
            tag: SessionTag(Bytes16(2, 3)),
            dot: Dot(origin: OriginID(Bytes16(4, 5)), sequence: 6),
            revision: 7,
            digestPrefix: 8
        )
        let map = try RawMap(body(of: .have(HaveList(conversation: 9, entries: [entry]))))
        var packed: [UInt8] = []
        for number in 1...UInt64(8) { packed.appendBigEndian(number) }
        #expect(map.bytes == [0xa2, 1, 9, 3] + Item.bytes(packed))
    }

    @Test func refusesLongEnvelopes() {
        let most = [UInt8](repeating: 0, count: EnvelopeFrame.prefixBytes + Limits.envelopeBytes)
        #expect(throws: Never.self) { try decode(.envelope, most) }
        #expect(throws: CodecError.tooLong) { try decode(.envelope, most + [0]) }
    }

    private func body(of frame: Frame) -> [UInt8] {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        return Array(bytes[FrameHeader.count...])
    }

    @discardableResult
    private func decode(_ type: FrameType, _ body: [UInt8]) throws(CodecError) -> Frame? {
        try Frame(decoding: RawFrame(type: type.rawValue, body: Slice(body)))
    }
}

/// A value that has to be refused under one key of a frame that is legal else.
struct FieldRefusal: Sendable, CustomTestStringConvertible {
    let type: FrameType
    let key: UInt8
    let value: [UInt8]
    let error: CodecError

    init(_ type: FrameType, _ key: UInt8, _ value: [UInt8], _ error: CodecError) {
        self.type = type
        self.key = key
        self.value = value
        self.error = error
    }

    var testDescription: String {
        "\(type) \(key) \(Hexadecimal.text(Array(value.prefix(8)))): \(error)"
    }

    static let all = texts + numbers + packed + lists

    private static let texts = [
        FieldRefusal(.hello, 1, Item.text("parlez"), .wrongMagic),
        FieldRefusal(.hello, 1, Item.text(""), .wrongMagic),
        FieldRefusal(.hello, 7, letters(65), .tooLong),
        FieldRefusal(.hello, 9, letters(65), .tooLong),
        FieldRefusal(.hello, 9, [0x61, 0xff], .invalidUTF8),
        FieldRefusal(.goodbye, 2, letters(257), .tooLong),
        FieldRefusal(.goodbye, 2, Item.null, .unsupportedType(0xf6)),
    ]

    private static let numbers = [
        FieldRefusal(.hello, 13, Item.number(262_143), .outOfRange),
        FieldRefusal(.stored, 1, Item.number(1 << 32), .outOfRange),
        FieldRefusal(.stored, 3, [0x20], .wrongType),
        FieldRefusal(.stored, 5, Item.no, .outOfRange),
        FieldRefusal(.blobChunk, 5, Item.number(64), .outOfRange),
        FieldRefusal(.pairing, 1, Item.number(0), .outOfRange),
        FieldRefusal(.pairing, 1, Item.number(9), .outOfRange),
        FieldRefusal(.ping, 1, [0x18, 1], .notShortest),
    ]

    private static let packed = [
        FieldRefusal(.conversations, 1, zeros(0), .wrongLength),
        FieldRefusal(.conversations, 1, zeros(16), .wrongLength),
        FieldRefusal(.conversations, 1, zeros(16 * 7), .wrongLength),
        FieldRefusal(.conversations, 1, zeros(127), .wrongLength),
        FieldRefusal(.conversations, 1, zeros(128 * 513), .tooLong),
        FieldRefusal(.have, 3, zeros(0), .wrongLength),
        FieldRefusal(.want, 3, zeros(0), .wrongLength),
        FieldRefusal(.have, 3, zeros(63), .wrongLength),
        FieldRefusal(.have, 3, zeros(64 * 1_025), .tooLong),
        FieldRefusal(.have, 3, entry(sequence: 1 << 48, revision: 1), .outOfRange),
        // A watermark has a position and nothing else.
        FieldRefusal(.have, 3, entry(), .outOfRange),
        FieldRefusal(.have, 3, entry(position: 1, tag: 1), .outOfRange),
        FieldRefusal(.have, 3, entry(position: 1, origin: 1), .outOfRange),
        FieldRefusal(.have, 3, entry(position: 1, revision: 1), .outOfRange),
        FieldRefusal(.have, 3, entry(position: 1, digest: 1), .outOfRange),
        // A request needs a position.
        FieldRefusal(.have, 3, entry(position: 1 << 63, sequence: 1, revision: 1), .outOfRange),
        // "Not found" has no position.
        FieldRefusal(.have, 3, entry(position: 1, sequence: 1), .outOfRange),
        FieldRefusal(.want, 3, entry(sequence: 1, revision: 1 << 48), .outOfRange),
        FieldRefusal(.want, 3, entry(sequence: 1), .outOfRange),
        FieldRefusal(.want, 3, entry(position: 1), .outOfRange),
        FieldRefusal(.want, 3, entry(revision: 1), .outOfRange),
        FieldRefusal(.blobWant, 3, zeros(31), .wrongLength),
        FieldRefusal(.blobWant, 3, zeros(33), .wrongLength),
        FieldRefusal(.blobChunk, 7, zeros(65_537), .tooLong),
        FieldRefusal(.audit, 7, zeros(2_047), .wrongLength),
        FieldRefusal(.audit, 7, zeros(2_040), .wrongLength),
        FieldRefusal(.audit, 7, zeros(2_056), .tooLong),
        FieldRefusal(.pairing, 3, zeros(31), .wrongLength),
        FieldRefusal(.pairing, 3, zeros(33), .wrongLength),
        FieldRefusal(.pairing, 3, zeros(513), .tooLong),
        FieldRefusal(.origin, 3, zeros(31), .wrongLength),
        FieldRefusal(.origin, 7, zeros(63), .wrongLength),
    ]

    private static let lists = [
        FieldRefusal(.blobWant, 5, Item.array([]), .wrongLength),
        FieldRefusal(.peers, 3, Item.array([]), .wrongLength),
        FieldRefusal(.blobWant, 5, Item.array([[1], [1]]), .notAscending),
        FieldRefusal(.blobWant, 5, Item.array([[2], [1]]), .notAscending),
        FieldRefusal(.blobWant, 5, Item.array([Item.number(64)]), .outOfRange),
        FieldRefusal(.blobWant, 5, Item.array([[UInt8]](repeating: [0], count: 65)), .tooLong),
        FieldRefusal(.peers, 3, Item.array([[UInt8]](repeating: peer(1), count: 65)), .tooLong),
        FieldRefusal(.peers, 3, Item.array([peer(65)]), .tooLong),
        FieldRefusal(.peers, 3, Item.array([Item.array([zeros(32)])]), .wrongLength),
        FieldRefusal(.origin, 11, host(seat: 0), .outOfRange),
        FieldRefusal(.origin, 11, host(seat: 65), .outOfRange),
        FieldRefusal(.origin, 11, host(seat: 257), .outOfRange),
        FieldRefusal(.origin, 11, Item.array([zeros(32), zeros(64)]), .wrongLength),
        FieldRefusal(.origin, 11, Item.array([zeros(32), zeros(64), [1], [1]]), .wrongLength),
        FieldRefusal(.origin, 11, Item.array([zeros(31), zeros(64), [1]]), .wrongLength),
        FieldRefusal(.origin, 11, Item.array([zeros(32), zeros(63), [1]]), .wrongLength),
    ]

    private static func host(seat: UInt64) -> [UInt8] {
        Item.array([zeros(32), zeros(64), Item.number(seat)])
    }

    private static func entry(
        position: UInt64 = 0,
        tag: UInt64 = 0,
        origin: UInt64 = 0,
        sequence: UInt64 = 0,
        revision: UInt64 = 0,
        digest: UInt64 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [position, 0, tag, 0, origin, sequence, revision, digest] {
            bytes.appendBigEndian(number)
        }
        return Item.bytes(bytes)
    }

    private static func letters(_ count: Int) -> [UInt8] {
        Item.text(String(repeating: "a", count: count))
    }

    private static func zeros(_ count: Int) -> [UInt8] {
        Item.bytes([UInt8](repeating: 0, count: count))
    }

    private static func peer(_ addressBytes: Int) -> [UInt8] {
        Item.array([zeros(32), letters(addressBytes)])
    }
}
