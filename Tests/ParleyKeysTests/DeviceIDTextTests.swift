import ParleyCore
import ParleyKeys
import Testing

@Suite struct DeviceIDTextTests {
    private static let example = DeviceID(counting(from: 0))

    @Test func writesEightGroupsOfSeven() {
        let groups = Self.example.text.split(separator: "-")
        #expect(groups.map(\.count) == [7, 7, 7, 7, 7, 7, 7, 7])
        #expect(Self.example.shortText == "AAAQEAYE")
        #expect(Self.example.text.filter { $0 != "-" }.hasPrefix(Self.example.shortText))
    }

    @Test(arguments: 0..<UInt64(200))
    func readsWhatItWrites(seed: UInt64) throws {
        var words = seed &* 0x9e37_79b9_7f4a_7c15
        func next() -> UInt64 {
            words = (words ^ words >> 30) &* 0xbf58_476d_1ce4_e5b9 &+ 1
            return words
        }
        let id = DeviceID(Bytes32(next(), next(), next(), next()))
        #expect(try DeviceID(parsing: id.text) == id)
    }

    @Test func readsTheLowestAndTheHighest() throws {
        for id in [DeviceID(.zero), DeviceID(Bytes32(.max, .max, .max, .max))] {
            #expect(try DeviceID(parsing: id.text) == id)
        }
    }

    @Test func ignoresCaseHyphensAndSpaces() throws {
        let text = Self.example.text
        let forms = [
            text.lowercased(), text.filter { $0 != "-" }, " \(text) ",
            text.split(separator: "-").joined(separator: " "),
            text.map { "\($0)-" }.joined(),
        ]
        for form in forms { #expect(try DeviceID(parsing: form) == Self.example) }
    }

    @Test func readsDigitsThatLookLikeLetters() throws {
        let ids = (0..<UInt8(60)).map { DeviceID(counting(from: $0 &* 4)) }
        let texts = ids.map(\.text)
        #expect(texts.joined().contains("O") && texts.joined().contains("I"))
        for (id, text) in zip(ids, texts) {
            let confused = text.map { ["O": "0", "I": "1", "B": "8"][$0] ?? $0 }
            #expect(try DeviceID(parsing: String(confused)) == id)
        }
    }

    @Test func findsEverySingleTypo() throws {
        let right = Array(Self.example.text)
        var position = 0
        for index in right.indices where right[index] != "-" {
            for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where letter != right[index] {
                var wrong = right
                wrong[index] = letter
                let group = position / 14 + 1
                #expect(throws: DeviceIDTextError.checkCharacter(group: group)) {
                    try DeviceID(parsing: String(wrong))
                }
            }
            position += 1
        }
    }

    @Test func findsSwappedNeighbours() throws {
        let right = Array(DeviceID(counting(from: 0x51)).text.filter { $0 != "-" })
        for index in 0..<right.count - 1 where right[index] != right[index + 1] {
            var wrong = right
            wrong.swapAt(index, index + 1)
            if Set([right[index], right[index + 1]]) == ["A", "7"] { continue }
            #expect(throws: DeviceIDTextError.self) { try DeviceID(parsing: String(wrong)) }
        }
    }

    @Test(arguments: [
        BadID("", .length(count: 0)),
        BadID("AAAQEAYE", .length(count: 8)),
        BadID("AAAQEA9", .alphabet(character: "9", position: 7)),
        BadID("AAA-QE\u{e9}", .alphabet(character: "\u{e9}", position: 7)),
        BadID("AAA\nQ", .alphabet(character: "\n", position: 4)),
        BadID(String(repeating: "A", count: 57), .length(count: 57)),
        BadID(
            String(repeating: "A", count: 13) + String(repeating: "B", count: 43),
            .checkCharacter(group: 1)
        ),
    ])
    func refusesWhatIsNotAnID(_ bad: BadID) {
        #expect(throws: bad.error) { try DeviceID(parsing: bad.text) }
        #expect(bad.error.message.hasSuffix(".") && bad.error.hint.hasSuffix("."))
    }

    /// The check character is right; the last data character has one of its four free bits set.
    @Test func refusesBitsBeyondTheID() {
        // Twelve A, then B (value 1, factor 2), so the check value is 32 - 2 = 30: "6".
        let text = String(repeating: "A", count: 42) + String(repeating: "A", count: 12) + "B6"
        #expect(throws: DeviceIDTextError.excessBits) { try DeviceID(parsing: text) }
    }
}

/// A text and the reason why it is not a device ID.
struct BadID: Sendable {
    let text: String
    let error: DeviceIDTextError

    init(_ text: String, _ error: DeviceIDTextError) {
        self.text = text
        self.error = error
    }
}
