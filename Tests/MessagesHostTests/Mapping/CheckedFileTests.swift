import Foundation
import Messages
import MessagesHost
import ParleyNode
import Testing

/// A file is checked by its sender as it is by those who get it.
@Suite struct CheckedFileTests {
    @Test(arguments: [
        ("signature.jpg", [0xFF, 0xD8, 0xFF], ImageError.truncated),
        ("page.gif", Array("GIF89a<html></html>".utf8), .malformed),
        ("text.PNG", Array("hello".utf8), .unknownFormat),
        ("cut.gif", Pictures.gif.dropLast(), .truncated),
        ("nothing.png", Pictures.png(width: 0, height: 9), .improperSize),
    ])
    func whatNobodyCanBeShownIsRefused(_ name: String, _ bytes: [UInt8], _ error: ImageError) {
        let refusal = HostError.notAPicture(name: name, reason: error.description)
        #expect(throws: refusal) { try CheckedFile(Data(bytes), name: name) }
        #expect(throws: refusal) { try OutgoingMessage.draft(file: Data(bytes), name: name) }
        // Under another name it is what it is: a file.
        let file = try? OutgoingMessage.draft(file: Data(bytes), name: "data.bin")
        #expect(file?.picture?.type == "application/octet-stream")
    }

    /// 41 frames of a million pixels, in a file of 500 bytes.
    @Test func whatWouldTakeTooMuchMemoryIsAFile() throws {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]
        var bytes = Array("GIF89a".utf8) + [0xE8, 3, 0xE8, 3, 0, 0, 0]
        for _ in 1...41 { bytes += frame }
        let file = try CheckedFile(Data(bytes + [0x3B]), name: "many.gif")
        #expect(file.picture == nil)
        #expect(file.note?.contains("1000 × 1000 pixels in 41 frames") == true)
        let draft = try OutgoingMessage.draft(file: Data(bytes + [0x3B]), name: "many.gif")
        #expect(draft.picture?.type == "application/octet-stream")
        #expect(draft.picture?.bytes == Data(bytes + [0x3B]))
    }

    /// Regression: a drawing of 2 KB stopped the page of whoever looked at it.
    @Test func whatWouldTakeTooLongToDrawIsAFile() throws {
        let drawing = Data("<svg><g id='a'/><use href='#a'/></svg>".utf8)
        let file = try CheckedFile(drawing, name: "copies.svg")
        #expect(file.picture == nil)
        #expect(file.note?.hasSuffix("It can only be saved.") == true)
        let draft = try OutgoingMessage.draft(file: drawing, name: "copies.svg")
        #expect(draft.picture?.type == "application/octet-stream")
        #expect(draft.picture?.bytes == drawing)
    }

    /// Regression: a picture that is too large to be shown told everybody where it was made.
    @Test func aPictureThatIsOnlySavedLosesItsMetadataToo() throws {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]
        let comment: [UInt8] = [0x21, 0xFE, 4] + Array("home".utf8) + [0]
        let head = Array("GIF89a".utf8) + [0xE8, 3, 0xE8, 3, 0, 0, 0]
        let frames = Array(repeatElement(frame, count: 41).joined()) + [0x3B]
        let told = Data(head + comment + frames)
        let draft = try OutgoingMessage.draft(file: told, name: "many.gif")
        #expect(draft.picture?.bytes == Data(head + frames))
        let kept = try OutgoingMessage.draft(file: told, name: "many.gif", keepsMetadata: true)
        #expect(kept.picture?.bytes == told)
    }

    @Test func aPhotoWhoseMetadataAreNotReadIsSaidToTell() throws {
        let photo = Data("....ftypheic".utf8)
        let file = try CheckedFile(photo, name: "IMG_1.HEIC")
        #expect(file.picture == nil)
        #expect(file.note?.contains("where it was made") == true)
        #expect(try CheckedFile(photo, name: "notes.bin").note == nil)
    }

    @Test func metadataStayOnlyWhereThePersonKeepsThem() throws {
        let comment: [UInt8] = [0x21, 0xFE, 4] + Array("home".utf8) + [0]
        let told = Data(Pictures.gif.prefix(13) + comment + Pictures.gif.dropFirst(13))
        let plain = Data(Pictures.gif)
        #expect(try OutgoingMessage.draft(file: told, name: "a.gif").picture?.bytes == plain)
        let kept = try OutgoingMessage.draft(file: told, name: "a.gif", keepsMetadata: true)
        #expect(kept.picture?.bytes == told)
        var contents = MessageContents()
        var template = TemplateContents()
        template.image = try EncodedImage(told)
        contents.layout = .template(template)
        #expect(try OutgoingMessage.draft(contents, app: "a.b").picture?.bytes == plain)
    }
}
