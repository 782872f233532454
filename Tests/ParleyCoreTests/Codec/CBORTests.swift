import ParleyCore
import Testing

/// The encoding: what is read is what was written, and there is one way to write it.
@Suite struct CBORTests {
    @Test(arguments: Vector.all)
    func writesAndReadsTheExamplesOfTheStandard(_ vector: Vector) throws {
        var writer = CBORWriter()
        vector.value.write(to: &writer)
        #expect(writer.finish() == vector.bytes)
        var reader = CBORReader(Slice(vector.bytes))
        #expect(try Value(from: &reader, like: vector.value) == vector.value)
        try reader.finish()
        try skip(vector.bytes)
    }

    @Test(arguments: Refusal.encoding)
    func refuses(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try skip(refusal.bytes) }
    }

    @Test(arguments: 0..<UInt64(64))
    func numbersOfAllWidthsRoundTrip(bits: UInt64) throws {
        let power: UInt64 = 1 << bits
        for number in [power, power - 1, UInt64.max >> bits] {
            var writer = CBORWriter()
            writer.unsigned(number)
            if let signed = Int64(exactly: number) {
                writer.signed(signed)
                writer.signed(-signed)
                writer.signed(-1 - signed)
            }
            var reader = CBORReader(Slice(writer.finish()))
            #expect(try reader.unsigned() == number)
            if let signed = Int64(exactly: number) {
                #expect(try reader.signed() == signed)
                #expect(try reader.signed() == -signed)
                #expect(try reader.signed() == -1 - signed)
            }
            try reader.finish()
        }
    }

    @Test(arguments: [
        Refusal("2^63", [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0], .outOfRange),
        Refusal("-2^63 - 1", [0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0], .outOfRange),
        Refusal("a text", [0x60], .wrongType),
    ])
    func signedNumbersHave64Bits(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            var reader = CBORReader(Slice(refusal.bytes))
            _ = try reader.signed()
        }
    }

    @Test func byteStringsShareTheChunk() throws {
        let slice = Slice([9, 9, 0x43, 1, 2, 3, 9])[2..<6]
        var reader = CBORReader(slice)
        let content = try reader.byteString(lengthMax: 3)
        #expect(content.isPart(of: slice))
        #expect(content.bytes == [1, 2, 3])
        try reader.finish()
    }

    @Test func readsNoFurtherThanTheSlice() {
        let slice = Slice([0x43, 1, 2, 3])[0..<3]
        #expect(throws: CodecError.truncated) {
            var reader = CBORReader(slice)
            _ = try reader.byteString(lengthMax: 3)
        }
    }

    @Test func mapsPassOverUnknownEvenKeys() throws {
        let bytes: [UInt8] = [0xa4, 0, 0x81, 0x61, 0x61, 1, 7, 2, 0xa1, 5, 6, 3, 8]
        var reader = CBORReader(Slice(bytes))
        var map = try reader.openMap()
        try reader.require(1, in: &map)
        #expect(try reader.unsigned() == 7)
        #expect(try reader.seek(3, in: &map))
        #expect(try reader.unsigned() == 8)
        #expect(try !reader.seek(4, in: &map))
        try reader.closeMap(&map)
        try reader.finish()
    }

    @Test func mapsRefuseUnknownOddKeysAndMissingOnes() {
        #expect(throws: CodecError.unknownKey(1)) {
            var reader = CBORReader(Slice([0xa2, 1, 0, 3, 0]))
            var map = try reader.openMap()
            try reader.require(3, in: &map)
        }
        #expect(throws: CodecError.unknownKey(5)) {
            var reader = CBORReader(Slice([0xa2, 1, 0, 5, 0]))
            var map = try reader.openMap()
            try reader.require(1, in: &map)
            _ = try reader.unsigned()
            try reader.closeMap(&map)
        }
        #expect(throws: CodecError.missingKey(2)) {
            var reader = CBORReader(Slice([0xa2, 1, 0, 3, 0]))
            var map = try reader.openMap()
            try reader.require(1, in: &map)
            _ = try reader.unsigned()
            try reader.require(2, in: &map)
        }
    }

    @Test func writingOverAMapsRulesIsOurMistake() async {
        await #expect(processExitsWith: .failure) {
            var writer = CBORWriter()
            var map = writer.openMap()
            writer.key(3, in: &map)
            writer.unsigned(0)
            writer.key(1, in: &map)
        }
    }

    private func skip(_ bytes: [UInt8]) throws(CodecError) {
        var reader = CBORReader(Slice(bytes))
        try reader.skip()
        try reader.finish()
    }
}

extension Refusal {
    fileprivate static let eights = [UInt8](repeating: 0xff, count: 8)

    fileprivate static let encoding = heads + types + contents

    private static let heads = [
        Refusal("nothing", [], .truncated),
        Refusal("half a number", [0x18], .truncated),
        Refusal("half a long number", [0x1b, 0, 0, 0, 0, 0, 0, 0], .truncated),
        Refusal("23 in two bytes", [0x18, 0x17], .notShortest),
        Refusal("255 in three bytes", [0x19, 0, 0xff], .notShortest),
        Refusal("65,535 in five bytes", [0x1a, 0, 0, 0xff, 0xff], .notShortest),
        Refusal(
            "2^32 - 1 in nine bytes",
            [0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
            .notShortest
        ),
        Refusal("-24 in two bytes", [0x38, 0x17], .notShortest),
        Refusal("a length in two bytes", [0x58, 0x01, 0], .notShortest),
        Refusal("a count in two bytes", [0x98, 0x01, 0], .notShortest),
        Refusal("indefinite bytes", [0x5f, 0xff], .indefiniteLength),
        Refusal("an indefinite text", [0x7f, 0xff], .indefiniteLength),
        Refusal("an indefinite array", [0x9f, 0xff], .indefiniteLength),
        Refusal("an indefinite map", [0xbf, 0xff], .indefiniteLength),
        Refusal("more", [0, 0], .trailingBytes),
    ]

    private static let types =
        [
            0x1c, 0x1d, 0x1e, 0x1f, 0x3c, 0x3f, 0x5c, 0x7d, 0x9e, 0xbc, 0xc0, 0xc1, 0xd8, 0xdf,
            0xe0, 0xf3, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xff,
        ].map { (byte: UInt8) in
            Refusal("type \(byte)", [byte, 0, 0, 0, 0, 0, 0, 0, 0], .unsupportedType(byte))
        }

    private static let contents = [
        Refusal("a byte of no bytes", [0x41], .truncated),
        Refusal("2^64 - 1 bytes", [0x5b] + eights, .truncated),
        Refusal("2^64 - 1 letters", [0x7b] + eights, .truncated),
        Refusal("an element of no elements", [0x81], .truncated),
        Refusal("2^64 - 1 elements", [0x9b] + eights, .truncated),
        Refusal("a key without its value", [0xa1, 0], .truncated),
        Refusal("2^64 - 1 keys", [0xbb] + eights, .truncated),
        Refusal("a byte that is not UTF-8", [0x61, 0xff], .invalidUTF8),
        Refusal("an overlong letter", [0x62, 0xc0, 0x80], .invalidUTF8),
        Refusal("a surrogate", [0x63, 0xed, 0xa0, 0x80], .invalidUTF8),
        Refusal("half a letter", [0x61, 0xc3], .invalidUTF8),
        Refusal("a key twice", [0xa2, 1, 0, 1, 0], .duplicateKey(1)),
        Refusal("keys that descend", [0xa2, 2, 0, 1, 0], .notAscending),
        Refusal("a negative key", [0xa1, 0x20, 0], .wrongType),
        Refusal("a text as key", [0xa1, 0x61, 0x61, 0], .wrongType),
        Refusal("seven arrays", [UInt8](repeating: 0x81, count: 7) + [0], .tooDeep),
        Refusal("seven maps", (0..<7).flatMap { _ in [0xa1, 0] } + [0], .tooDeep),
        Refusal("six arrays too short", [UInt8](repeating: 0x81, count: 6), .truncated),
    ]
}
