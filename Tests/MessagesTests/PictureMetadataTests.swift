import Foundation
import Messages
import Testing

/// Photos lose what they tell about place, time and camera, and look as before.
@Suite struct PictureMetadataTests {
    /// EXIF as a camera writes it: an orientation, and a place behind it.
    private static func exif(_ orientation: UInt8) -> [UInt8] {
        let entries: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
        return Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0] + entries + [0, 0, 0, 0]
            + Array("GPS 52.52".utf8)
    }

    private static func photo(_ orientation: UInt8) -> Data {
        Pictures.jpeg(
            width: 640,
            height: 480,
            thumbnail: Array("THUMBNAIL".utf8),
            extra: Pictures.segment(0xE1, Array("Exif\0\0".utf8) + exif(orientation))
                + Pictures.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8))
                + Pictures.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}colors".utf8))
                + Pictures.segment(0xE0, Array("JFXX\0\u{10}THUMBNAIL".utf8))
                + Pictures.segment(0xEE, Array("Adobe\0d\0\0\0\0\u{1}CAMERA".utf8))
                + (0xF0...0xFD).flatMap { Pictures.segment($0, Array("CAMERA".utf8)) }
                + Pictures.segment(0xC8, Array("CAMERA".utf8))
                + Pictures.segment(0xED, Array("Photoshop 3.0".utf8))
                + Pictures.segment(0xFE, Array("taken at home".utf8))
        ) + Data("a second picture behind the end".utf8)
    }

    private static let secrets = [
        "GPS", "xmpmeta", "Photoshop", "taken at home", "behind the end", "CAMERA",
        "THUMBNAIL",
    ]

    static let pictures = [
        photo(1), photo(6),
        Pictures.png(width: 3, height: 4, extra: "tEXt") + Data("CAMERA".utf8),
        Pictures.gif(
            width: 3,
            height: 4,
            extra: [0x21, 0xFE, 6] + Array("CAMERA".utf8) + [0, 0x21, 0xFF, 11]
                + Array("XMP DataXMPCAMERA".utf8.prefix(11)) + [6] + Array("CAMERA".utf8) + [0]
        ),
        Pictures.extendedWebP(
            width: 3,
            height: 4,
            flags: 0x0C,
            extra: [("EXIF", exif(6)), ("XMP ", Array("<x:xmpmeta/>".utf8))]
        ),
        Pictures.extendedWebP(
            width: 3,
            height: 4,
            inFrames: [("note", Array("CAMERA!".utf8))],
            frames: 2
        ),
    ]

    @Test(arguments: pictures)
    func nothingButThePictureStays(_ data: Data) throws {
        let image = try EncodedImage(data)
        let clean = image.withoutMetadata
        #expect(clean.data.count < data.count)
        for secret in Self.secrets { #expect(clean.data.range(of: Data(secret.utf8)) == nil) }
        #expect(clean.data.range(of: Data("tEXt".utf8)) == nil)
        #expect(clean.format == image.format)
        #expect((clean.width, clean.height) == (image.width, image.height))
        #expect(clean.withoutMetadata == clean)
    }

    @Test func whatLooksDifferentWithoutItStays() throws {
        let clean = try EncodedImage(Self.photo(6)).withoutMetadata.data
        #expect(clean.range(of: Data("ICC_PROFILE".utf8)) != nil)
        let webp = try EncodedImage(Self.pictures[4]).withoutMetadata.data
        // The container says how long it is, and that there is neither EXIF nor XMP.
        #expect(Int(webp[4]) == webp.count - 8)
        #expect(webp[20] == 0)
        for sample in Pictures.samples {
            let image = try EncodedImage(sample.data)
            #expect(image.withoutMetadata == image, "\(sample.name)")
        }
    }

    /// What stays is written as if nothing else had been there.
    @Test func theRestIsAFileOfTheFormat() throws {
        let jpeg = Pictures.jpeg(width: 8, height: 6, thumbnail: Array("THUMBNAIL".utf8))
        #expect(try EncodedImage(jpeg).withoutMetadata.data == Pictures.jpeg(width: 8, height: 6))
        let told = Pictures.extendedWebP(
            width: 3,
            height: 4,
            inFrames: [("note", Array("CAMERA!".utf8)), ("XMP ", [])],
            frames: 3
        )
        let plain = Pictures.extendedWebP(width: 3, height: 4, frames: 3)
        #expect(try EncodedImage(told).withoutMetadata.data == plain)
        // The orientation stands behind the JFIF segment, which is the first one.
        let turned = try EncodedImage(Self.photo(6)).withoutMetadata.data
        #expect(turned.dropFirst(20).starts(with: [0xFF, 0xE1]))
        #expect(turned.dropFirst(4).starts(with: [0, 16]))
    }

    /// EXIF turns a picture: 5 to 8 put it on its side.
    @Test(arguments: UInt8(1)...9)
    func sizeIsThatOfThePictureAsItIsShown(_ orientation: UInt8) throws {
        let isOnItsSide = (5...8).contains(orientation)
        let size = isOnItsSide ? CGSize(width: 480, height: 640) : CGSize(width: 640, height: 480)
        #expect(UIImage(data: Self.photo(orientation))?.size == size)
        let clean = try EncodedImage(Self.photo(orientation)).withoutMetadata
        #expect(UIImage(data: clean.data)?.size == size)
    }
}
