import ParleyCore
import ParleyFaults
import Testing

@Suite struct SessionLinesTests {
    @Test func oldestLinesGoFirst() {
        var lines = SessionLines()
        for place in 1...20 { lines.add(line(UInt64(place)), countMax: 16) }
        #expect(lines.lines.map(\.place) == Array(5...20))

        lines.add(line(21), countMax: 3)
        #expect(lines.lines.map(\.place) == [19, 20, 21])

        lines.add(line(22), countMax: 0)
        #expect(lines.isEmpty)
    }

    @Test func messageLeavesOneLine() {
        var lines = SessionLines([line(1), line(2)])
        lines.add(line(1), countMax: 16)
        #expect(lines.lines == [line(2), line(1)])
    }

    @Test func noLinesAreNoBytes() throws {
        #expect(SessionLines().encoded() == [])
        #expect(try SessionLines(decoding: .empty) == SessionLines())
    }

    @Test(arguments: 0..<UInt64(100))
    func storedLinesComeBack(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var lines = SessionLines()
        for _ in 0..<Int.random(in: 0...16, using: &random) {
            lines.add(randomLine(using: &random), countMax: 16)
        }
        #expect(try SessionLines(decoding: Slice(lines.encoded())) == lines, "seed \(seed)")
    }

    @Test func linesOfOneSessionNameItOnce() {
        let one = SessionLines([line(1)]).encoded().count
        let two = SessionLines([line(1), line(2)]).encoded().count
        #expect(one == 1 + 65)
        #expect(two == one + 49)
    }

    /// The layout in the data directory, byte for byte: older rows must stay readable.
    @Test func layoutIsFixed() {
        let line = ShownLine(
            dot: Dot(0, 2),
            place: 3,
            revision: 4,
            sentAt: -1,
            session: SessionUUID(Bytes16(5, 6)),
            summaryText: "hé"
        )
        let number = { (value: UInt8) in [0, 0, 0, 0, 0, 0, 0, value] as [UInt8] }
        let origin = number(1) + number(0)
        let session = number(5) + number(6)
        let expected: [UInt8] =
            [1, 3] + origin + number(2) + number(3) + number(4)
            + Array(repeating: 255, count: 8) + session + [0, 3, 0x68, 0xc3, 0xa9]
        #expect(SessionLines([line]).encoded() == expected)
    }

    @Test(arguments: [0, 1, 1_023, 1_024])
    func shortTextStays(count: Int) {
        let text = String(repeating: "x", count: count)
        #expect(line(1, text).summaryText == text)
    }

    @Test func longTextIsCutBetweenCharacters() {
        #expect(line(1, String(repeating: "x", count: 9_999)).summaryText?.utf8.count == 1_024)
        #expect(
            line(1, "x" + String(repeating: "é", count: 999)).summaryText
                == "x" + String(repeating: "é", count: 511)
        )
        #expect(
            line(1, "abc" + String(repeating: "🎲", count: 999)).summaryText
                == "abc" + String(repeating: "🎲", count: 255)
        )
    }

    struct Damage: Sendable {
        let index: Int
        let byte: UInt8
        let error: SessionLinesError
        init(_ index: Int, _ byte: UInt8, _ error: SessionLinesError) {
            self.index = index
            self.byte = byte
            self.error = error
        }
    }

    @Test(arguments: [
        Damage(0, 2, .unknownVersion(2)),
        Damage(1, 4, .unknownFlags(4)),
        Damage(1, 2, .unknownFlags(2)),
        Damage(18, 1, .numberOutOfRange),
        Damage(26, 1, .numberOutOfRange),
        Damage(34, 1, .numberOutOfRange),
        Damage(66, 255, .badText),
        Damage(67, 1, .truncated),
        Damage(68, 0xff, .badText),
    ])
    func damagedBytesAreRefused(_ damage: Damage) {
        var bytes = SessionLines([line(1, "")]).encoded()
        bytes += damage.index == 68 ? [0] : []
        bytes[67] = damage.index == 68 ? 1 : bytes[67]
        bytes[damage.index] = damage.byte
        #expect(throws: damage.error) { try SessionLines(decoding: Slice(bytes)) }
    }

    @Test func everyShorterRowIsRefusedOrHoldsFewerLines() throws {
        let lines = SessionLines([line(1, "one"), line(2, nil), line(3, "three")])
        let bytes = lines.encoded()
        for count in 1..<bytes.count {
            let part = Slice(Array(bytes[..<count]))
            guard let read = try? SessionLines(decoding: part) else { continue }
            #expect(read.encoded() == part.bytes)
            #expect(read.lines == Array(lines.lines.prefix(read.lines.count)))
        }
    }

    @Test(arguments: 0..<UInt64(300))
    func anyBytesAreReadWithoutATrap(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = SessionLines([line(1, "one"), line(2, nil), line(3, "three")]).encoded()
        for _ in 0..<4 {
            let index = Int.random(in: bytes.indices, using: &random)
            bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        }
        // Only that it returns counts here: most damage is not noticed.
        _ = try? SessionLines(decoding: Slice(bytes))
        _ = try? SessionLines(decoding: Slice([1] + random.bytes(200)))
    }

    private func line(_ place: UInt64, _ text: String? = nil) -> ShownLine {
        ShownLine(
            dot: Dot(0, place),
            place: place,
            revision: 1,
            sentAt: 0,
            session: SessionUUID(.zero),
            summaryText: text
        )
    }

    private func randomLine(using random: inout SeededRandom) -> ShownLine {
        let texts = [nil, "", "A plays b4", "♟️ → 🏁", String(repeating: "長", count: 300)]
        return ShownLine(
            dot: Dot(0, UInt64.random(in: 1..<Limits.sequenceEnd, using: &random)),
            place: UInt64.random(in: 1..<Limits.sequenceEnd, using: &random),
            revision: UInt64.random(in: 1..<Limits.sequenceEnd, using: &random),
            sentAt: Int64.random(in: .min ... .max, using: &random),
            session: SessionUUID(Bytes16(UInt64.random(in: 0...2, using: &random), 0)),
            summaryText: texts[Int.random(in: texts.indices, using: &random)]
        )
    }
}
