import Messages
import Testing

/// A sticker is a small local picture; whatever else it is, the code says why not (section 8).
@Suite struct StickerTests {
    @Test func takesSmallPictures() throws {
        for sample in Pictures.samples where [.png, .apng, .gif, .jpeg].contains(sample.format) {
            let sticker = try Self.sticker(sample.data)
            #expect(sticker.localizedDescription == "A cherry")
            #expect(sticker.imageFileURL.isFileURL)
        }
        let full = Pictures.png(width: 1, height: 1)
        let data = full + Data(count: StickerFile.bytesMax - full.count)
        _ = try Self.sticker(data)
    }

    @Test func refusesOthersWithTheirCode() {
        let png = Pictures.png(width: 1, height: 1)
        Self.expect(.stickerFileImproperFileSize) {
            _ = try Self.sticker(png + Data(count: StickerFile.bytesMax))
        }
        Self.expect(.stickerFileImproperFileFormat) { _ = try Self.sticker(Data("<svg/>".utf8)) }
        Self.expect(.stickerFileImproperFileFormat) { _ = try Self.sticker(Data()) }
        Self.expect(.fileNotFound) { _ = try Self.sticker(at: URL(filePath: "/nowhere/a.png")) }
        Self.expect(.stickerFileImproperFileAttributes) {
            _ = try Self.sticker(at: URL(filePath: "/tmp"))
        }
        Self.expect(.stickerFileImproperFileAttributes) {
            _ = try Self.sticker(at: URL(filePath: "/dev/zero"))
        }
        let web = URL(string: "https://example.com/a.png")
        Self.expect(.improperFileURL) { _ = try Self.sticker(at: #require(web)) }
        Self.expect(.unknown) {
            _ = try Self.sticker(png, description: String(repeating: "é", count: 151))
        }
    }

    private static func expect(_ code: MSMessageErrorCode, _ body: () throws -> Void) {
        let error = #expect(throws: NSError.self) { try body() }
        #expect(error?.code == code.rawValue)
        #expect(error?.domain == MSStickersErrorDomain)
        #expect(error?.localizedDescription.isEmpty == false)
    }

    private static func sticker(
        _ data: Data,
        description: String = "A cherry"
    ) throws -> MSSticker {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try MSSticker(contentsOfFileURL: file, localizedDescription: description)
    }

    private static func sticker(at url: URL) throws -> MSSticker {
        try MSSticker(contentsOfFileURL: url, localizedDescription: "")
    }
}
