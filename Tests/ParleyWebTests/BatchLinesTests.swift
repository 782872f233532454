import NIOCore
import ParleyWeb
import Testing

/// A body that comes in parts is cut into numbered lines.
@Suite struct BatchLinesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parts: [String]
        let lines: [String]

        init(_ name: String, _ parts: [String], _ lines: [String]) {
            testDescription = name
            self.parts = parts
            self.lines = lines
        }
    }

    @Test(arguments: [
        Case("two lines in one part", ["a\nb\n"], ["1 a", "2 b"]),
        Case("a line in three parts", ["a", "b", "c\n"], ["1 abc"]),
        Case("no line end at the end", ["a\nb"], ["1 a", "2 b"]),
        Case("empty lines count", ["\n \na\n\r\n", "b"], ["3 a", "5 b"]),
        Case(
            "more lines than are taken at a time",
            ["a\nb\nc\nd\ne\n"],
            [
                "1 a", "2 b", "3 c", "4 d", "5 e",
            ]
        ),
        Case("nothing", [""], []),
    ])
    func cuts(_ example: Case) {
        var lines = BatchLines()
        var found: [BatchLine] = []
        for part in example.parts {
            lines.append(ByteBuffer(string: part))
            while let some = lines.take(atMost: 2) {
                #expect((1...2).contains(some.count))
                found += some
            }
        }
        found += lines.takeLast()
        #expect(found.map { "\($0.number) \(String(buffer: $0.bytes))" } == example.lines)
    }

    @Test func countsTheBytesOfAnUnfinishedLine() {
        var lines = BatchLines()
        lines.append(ByteBuffer(string: "a\nbcd"))
        #expect(lines.take(atMost: 2)?.count == 1)
        #expect(lines.waitingBytes == 3)
    }
}
