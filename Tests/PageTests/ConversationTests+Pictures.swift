import Foundation
import PageSupport
import ParleyAPI
import TestSupport
import Testing
import WebDriver

/// A sent picture can be shown, tells nothing that the person does not want to tell, and stands in
/// a frame of its own shape.
extension ConversationTests {
    @Test func aPhotoStandsUprightAndTellsNoPlace() async throws {
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let photo = try alice.jpeg(width: 64, height: 32).turnedByAQuarter
        let folder = try TestDirectory()
        for keeps in [false, true] {
            let name = keeps ? "at home.jpg" : "nowhere.jpg"
            try alice.first("input[type=file]").type(try folder.write(name, photo))
            let choice = try await alice.find("checkbox", "Keep place, time and camera")
            if keeps {
                try choice.click()
                try await alice.inspect("photo", sizes: [(390, 844)])
                try alice.resize(width: 1_440, height: 900)
            }
            try await alice.find("button", "Send").click()
            _ = try await bob.find("article", name)
            let script = """
                const image = [...document.images].find(({ alt }) => alt === arguments[0]);
                const { naturalWidth, naturalHeight } = image ?? {};
                return [naturalWidth, naturalHeight, image?.width - image?.height < 0];
                """
            try await eventually("the photo on its side") {
                try bob.run(script, .text(name)) == [32, 64, true]
            }
            let load = """
                const [name, done] = arguments;
                const { src } = [...document.images].find(({ alt }) => alt === name);
                fetch(src).then((answer) => answer.arrayBuffer()).then((bytes) =>
                    done(new TextDecoder("latin1").decode(bytes).includes("GPS 52.52")));
                """
            #expect(try bob.runLater(load, .text(name)) == .bool(keeps))
        }
    }

    /// A picture that nobody could be shown is refused with the reason; one that would take the
    /// memory of a browser is a file for everybody.
    @Test func whatCannotBeShownIsRefusedOrToBeSaved() async throws {
        let name = try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let folder = try TestDirectory()
        let whole = try alice.jpeg(width: 64, height: 32)
        let bad: [(String, Data, String)] = [
            ("signature.jpg", Data([0xFF, 0xD8, 0xFF]), "It was cut: its end is missing."),
            ("cut.jpg", whole.dropLast(2), "It was cut: its end is missing."),
            ("page.gif", Data("GIF89a<html></html>".utf8), "goes on like none."),
            ("text.png", Data("hello".utf8), "It begins like no kind of picture."),
        ]
        let input = try alice.first("input[type=file]")
        for (file, bytes, reason) in bad {
            try input.type(try folder.write(file, bytes))
            try await eventually("why \(file) is refused") {
                let text = try alice.seen
                return text.contains("\(file) cannot be shown as a picture.")
                    && text.contains(reason)
            }
        }
        #expect(try alice.present("region", "Draft") == nil)

        try input.type(try folder.write("huge.png", Self.huge))
        let draft = try await alice.find("region", "Draft")
        try await eventually("that it can only be saved") {
            try draft.text.contains("16000 × 16000 pixels")
        }
        try await alice.inspect("huge-picture", sizes: [(390, 844)])
        try alice.resize(width: 1_440, height: 900)
        try await alice.find("button", "Send").click()
        for page in [alice, bob] { _ = try await page.find("link", from: "huge.png") }
        // A peer with software of its own says that it is a picture, in a bubble and in a card.
        let picture = Self.huge.base64EncodedString()
        for app in ["parley.sticker", "parley.attachment", "parley.tictactoe"] {
            let line = """
                {"app": "\(app)", "caption": "huge \(app)", "imageType": "x-image/png", \
                "imageData": "\(picture)"}
                """
            _ = try await pair.alice.run(
                "send",
                "-c",
                name,
                "--batch",
                "-",
                input: line + "\n"
            )
        }
        try await eventually("four lines with a link to save") {
            try bob.run("return document.querySelectorAll('article a.file').length").number == 4
        }
        let pictures = "return document.querySelectorAll('article img.picture').length"
        #expect(try bob.run(pictures).number == 0)
        try await bob.inspect("huge-pictures", sizes: [(390, 844)])
    }

    @Test func aNameOfAFileHidesNothing() async throws {
        try await pair.begin()
        let (alice, bob) = (pair.alicesPage, pair.bobsPage)
        let folder = try TestDirectory()
        let path = try folder.write("report\u{202E}fdp\u{200B}.exe", Data("program".utf8))
        try alice.first("input[type=file]").type(path)
        let shown = "report\u{FFFD}fdp\u{FFFD}.exe"
        let draft = try await alice.find("region", "Draft")
        try await eventually("the name in the draft") { try draft.text.contains(shown) }
        try await alice.find("button", "Send").click()
        // The sender leaves out of the name what nobody sees.
        let sent = "reportfdp.exe"
        let link = try await bob.find("link", from: sent)
        #expect(try link.attribute("download") == sent)
        let script = """
            const [link, done] = arguments;
            fetch(link.href).then((answer) => done(answer.headers.get("content-disposition")));
            """
        let disposition = try bob.runLater(script, link.reference).text?.removingPercentEncoding
        #expect(disposition?.hasSuffix(sent) == true)
        let hidden = "return /[\\u202E\\u200B]/.test(document.documentElement.outerHTML)"
        for page in [alice, bob] { #expect(try page.run(hidden) == .bool(false)) }
    }

    // MARK: Pictures

    /// A PNG of 16,000 by 16,000 pixels in 60 bytes; what its data are does not matter, as nobody
    /// may decode it.
    private static let huge: Data = {
        let size: [UInt8] = [0, 0, 0x3E, 0x80]
        let chunks: [(String, [UInt8])] = [
            ("IHDR", size + size + [1, 0, 0, 0, 0]), ("IDAT", [0x78, 0x9C, 3]), ("IEND", []),
        ]
        return chunks.reduce(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])) { all, chunk in
            all + [0, 0, 0, UInt8(chunk.1.count)] + Array(chunk.0.utf8) + chunk.1 + [0, 0, 0, 0]
        }
    }()
}

extension Browser {
    /// A JPEG of that size, as the browser makes it.
    fileprivate func jpeg(width: Int, height: Int) throws -> Data {
        let script = """
            const area = document.createElement("canvas");
            [area.width, area.height] = arguments;
            area.getContext("2d").fillRect(0, 0, area.width / 2, area.height);
            return area.toDataURL("image/jpeg").split(",")[1];
            """
        let text = try run(script, .number(Double(width)), .number(Double(height))).text ?? ""
        return Data(base64Encoded: text) ?? Data()
    }
}

extension Data {
    /// This JPEG with EXIF that turns it by a quarter and tells a place.
    var turnedByAQuarter: Data {
        let table: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let block =
            Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + table
            + Array("GPS 52.52".utf8)
        return prefix(2) + [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + dropFirst(2)
    }
}
