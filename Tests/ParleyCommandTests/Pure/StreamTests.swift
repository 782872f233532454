import Foundation
import ParleyCommand
import Testing

@Suite struct StreamTests {
    @Test(arguments: [1, 2, 3, 7, 1_000])
    func parsesEventsInPiecesOfAnySize(size: Int) {
        let text = """
            : hello

            event: entry
            data: {"a":1}

            event: entry\r
            data: one\r
            data: two\r
            \r
            data:bare

            event: unfinished
            """
        let bytes = Array(text.utf8)
        var parser = EventParser()
        var events: [EventParser.Event] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += parser.add(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events.map(\.name) == ["entry", "entry", "message"])
        #expect(
            events.map { String(decoding: $0.data, as: UTF8.self) }
                == [#"{"a":1}"#, "one\ntwo", "bare"]
        )
    }

    @Test func splitsLines() {
        var splitter = LineSplitter()
        #expect(splitter.add(Array("ab".utf8)).isEmpty)
        #expect(splitter.add(Array("c\n\nd".utf8)) == [Array("abc".utf8), []])
        #expect(splitter.finish() == Array("d".utf8))
        #expect(splitter.finish() == nil)
    }
}

@Suite struct PictureTests {
    @Test func qrCodeIsSquareAndHasItsFinders() throws {
        let lines = try QRText.lines("parley:AQMNOltK117CUkklv6myhqkKRd5SRnp9")
        let width = try #require(lines.first?.count)
        #expect(lines.allSatisfy { $0.count == width })
        // Each line shows two modules, and the code has an odd number of them.
        #expect(lines.count == (width + 1) / 2)
        #expect((width - 8 - 17) % 4 == 0)
        // Four white modules precede the top of a finder pattern: seven dark modules over a ring.
        #expect(lines[0].allSatisfy { $0 == "█" })
        #expect(lines[2].dropFirst(4).prefix(7) == " ▄▄▄▄▄ ")
        #expect(lines[2].dropLast(4).suffix(7) == " ▄▄▄▄▄ ")
        #expect(throws: (any Error).self) { try QRText.lines(String(repeating: "x", count: 5_000)) }
    }

    /// A phone cannot open a link to this machine, so there is no code to scan for one.
    @Test(arguments: [
        ("http://127.0.0.1:8275/enter/00ff", false), ("http://[::1]:8275/enter/00ff", false),
        ("http://192.168.1.20:8275/enter/00ff", true), ("http://[fd00::2]:8275/enter/00ff", true),
    ])
    func aCodeIsForOtherDevices(_ link: String, _ hasCode: Bool) throws {
        let text = PageLinkText(link)
        let lines = try text.codeLines()
        #expect(lines.joined().contains("█") == hasCode)
        #expect(lines.joined().contains("No QR code") != hasCode)
        #expect(lines.joined().contains("--web lan") != hasCode)
        let announced = text.announcement(command: "parley page --data here")
        #expect(announced.contains("  \(link)"))
        #expect(announced[0].contains("on this machine") != hasCode)
        #expect(announced[2].contains("For another one: parley page --data here"))
    }

    @Test func boardIsDrawnAsPNG() throws {
        var board = DemoBoard()
        for cell in [4, 0, 2, 6, 3, 5, 1, 7, 8] {
            #expect(!board.isOver)
            board.take(cell)
        }
        #expect(board.isOver)
        #expect(board.text == "OXXXXOOOX")
        #expect(DemoBoard(url: board.url) == board)
        #expect(board.picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    /// Checks the worked example of the checksum in the PNG specification, and a picture that was
    /// verified with other programs.
    @Test func pngIsWellFormed() {
        let png = PalettePNG(
            width: 2,
            palette: [[0, 0, 0], [255, 255, 255]],
            pixels: [0, 1, 1, 0]
        )
        let bytes = Array(png.bytes)
        #expect(bytes.suffix(12) == [0, 0, 0, 0, 73, 69, 78, 68, 0xAE, 0x42, 0x60, 0x82])
        #expect(bytes.count == 8 + 25 + 18 + 12 + 2 + 5 + 6 + 4 + 12)
    }
}
