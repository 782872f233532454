import Messages
import TestSupport
import Testing

/// Pictures are read up to the end of their files; what nobody can be shown is refused.
@Suite struct ImageTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let data: Data
        let format: ImageFormat
        let width: Int
        let height: Int

        var testDescription: String { name }
    }

    @Test(arguments: Pictures.samples)
    func readsKindAndSize(_ sample: Sample) throws {
        let image = try EncodedImage(sample.data)
        #expect(image.format == sample.format)
        #expect(image.width == sample.width)
        #expect(image.height == sample.height)
        let picture = try #require(UIImage(data: sample.data))
        #expect(picture.size == CGSize(width: sample.width, height: sample.height))
    }

    /// A part of a larger `Data` starts at another index than 0.
    @Test(arguments: Pictures.samples)
    func readsSlices(_ sample: Sample) throws {
        let data = (Data([1, 2, 3]) + sample.data).dropFirst(3)
        #expect(try EncodedImage(data).width == sample.width)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let data: Data
        let error: ImageError

        init(_ name: String, _ data: Data, _ error: ImageError) {
            self.name = name
            self.data = data
            self.error = error
        }

        init(_ name: String, _ text: String, _ error: ImageError) {
            self.init(name, Data(text.utf8), error)
        }

        var testDescription: String { name }
    }

    static let refusals = [
        Refusal("nothing", "", .unknownFormat),
        Refusal("text", "hello", .unknownFormat),
        Refusal("a page", "<!DOCTYPE html><html></html>", .unknownFormat),
        Refusal(
            "a page with a picture",
            "<html><svg width='1' height='1'/></html>",
            .unknownFormat
        ),
        Refusal("another root", "<svgx width='1' height='1'/>", .unknownFormat),
        Refusal("PDF", "%PDF-1.4", .unknownFormat),
        Refusal("PNG without a chunk", Data(Pictures.pngSignature), .truncated),
        Refusal("PNG of nothing", Pictures.png(width: 0, height: 1), .improperSize),
        Refusal(
            "PNG of 2^31",
            Pictures.png(width: 1 << 31, height: 1),
            .tooManyPixels(width: 1 << 31, height: 1, frames: 1)
        ),
        Refusal(
            "PNG of too large an area",
            Pictures.png(width: 16_000, height: 16_000),
            .tooManyPixels(width: 16_000, height: 16_000, frames: 1)
        ),
        Refusal(
            "APNG of too many frames",
            Pictures.png(width: 1_000, height: 1_000, extra: "acTL", frames: 41),
            .tooManyPixels(width: 1_000, height: 1_000, frames: 41)
        ),
        Refusal(
            "GIF of too many frames",
            Pictures.gif(width: 2_000, height: 2_000, frames: 11),
            .tooManyPixels(width: 2_000, height: 2_000, frames: 11)
        ),
        Refusal(
            "WebP of too many frames",
            Pictures.extendedWebP(width: 2_000, height: 2_000, frames: 11),
            .tooManyPixels(width: 2_000, height: 2_000, frames: 11)
        ),
        Refusal("PNG of an odd depth", Pictures.png(width: 1, height: 1, depth: 3), .malformed),
        Refusal(
            "PNG without picture data",
            Pictures.png(width: 1, height: 1).prefix(40),
            .truncated
        ),
        Refusal("PNG of a signature", Data(Pictures.pngSignature), .truncated),
        Refusal(
            "PNG without its end",
            Pictures.png(width: 3, height: 3).dropLast(12),
            .truncated
        ),
        Refusal("JPEG of a signature", Data([0xFF, 0xD8, 0xFF]), .truncated),
        Refusal("JPEG without its end", Pictures.jpeg(width: 3, height: 3).dropLast(2), .truncated),
        Refusal(
            "JPEG that goes on as text",
            Data([0xFF, 0xD8, 0xFF] + Array("hello, this is no picture".utf8)),
            .malformed
        ),
        Refusal("lossless JPEG", Pictures.jpeg(width: 3, height: 3, marker: 0xC3), .malformed),
        Refusal("GIF of a page", "GIF89a<html><script>alert(1)</script></html>", .malformed),
        Refusal("GIF without its end", Pictures.gif(width: 3, height: 3).dropLast(1), .truncated),
        Refusal("GIF without a frame", Pictures.gif(width: 3, height: 3, frames: 0), .malformed),
        Refusal("SVG without its end", "<svg width='3'><g>", .truncated),
        Refusal("JPEG that ends", Pictures.jpeg(width: 3, height: 3).prefix(22), .truncated),
        Refusal(
            "JPEG with a segment of no length",
            Data(
                [0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + Pictures.jpeg(width: 3, height: 3).dropFirst(20)
            ),
            .malformed
        ),
        Refusal("JPEG of scans only", Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2]), .malformed),
        Refusal(
            "JPEG of padding",
            Data([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 9_000)),
            .truncated
        ),
        Refusal("GIF that ends", "GIF89a\u{1}", .truncated),
        Refusal(
            "GIF of nothing",
            Pictures.gif(width: 0, height: 0),
            .improperSize
        ),
        Refusal("WebP longer than it is", Pictures.webp(claiming: 4_000), .truncated),
        Refusal("WebP of an unknown kind", "RIFF\u{4}\0\0\0WEBPVP9 ", .malformed),
        Refusal("SVG that ends", "<svg width='3'", .truncated),
        Refusal("SVG with an attribute twice", "<svg width='3' width='4'>", .malformed),
        Refusal("SVG with entities", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", .malformed),
        Refusal("SVG of no width", "<svg width='0' height='5'/>", .improperSize),
        Refusal("SVG beyond counting", "<svg width='1e300' height='5'/>", .improperSize),
        Refusal("SVG of no number", "<svg viewBox='0 0 nan nan'/>", .improperSize),
        Refusal("SVG with two roots", "<svg><g/></svg><svg><g/></svg>", .malformed),
        Refusal("SVG with a type that hides it", "<!DOCTYPE svg '<svg/>'><p/>", .unknownFormat),
        Refusal("SVG in JIS", "<?xml version='1.0' encoding='ISO-2022-JP'?><svg/>", .malformed),
        Refusal(
            "SVG of two bytes a letter",
            Data("\u{FEFF}<svg/>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            .unknownFormat
        ),
        Refusal("SVG with a declaration in it", "<svg><!ENTITY a 'b'></svg>", .malformed),
        Refusal("SVG without a name", "<svg><></></svg>", .malformed),
        Refusal("SVG too far in", String(repeating: " ", count: 70_000) + "<svg/>", .unknownFormat),
    ]

    @Test(arguments: refusals)
    func refuses(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try EncodedImage(refusal.data) }
        #expect(UIImage(data: refusal.data) == nil)
    }

    @Test func refusesTooManyBytes() {
        let data = Pictures.png(width: 1, height: 1) + Data(count: ImageLimits.bytesMax)
        #expect(throws: ImageError.tooLarge(bytes: data.count)) { try EncodedImage(data) }
    }

    /// Any bytes give a header within the limits or a typed error.
    @Test(arguments: 0..<UInt64(40))
    func neverTraps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_000 {
            var data = Pictures.samples.randomElement(using: &random)?.data ?? Data()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: data = data.prefix(Int.random(in: 0...data.count, using: &random))
                case 1:
                    data.append(
                        contentsOf: (0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }
                    )
                case 2: data = Data(data.shuffled(using: &random))
                default:
                    guard let index = data.indices.randomElement(using: &random) else { continue }
                    data[index] =
                        [0, 0xFF, UInt8.random(in: 0...255, using: &random)][
                            Int.random(in: 0..<3, using: &random)
                        ]
                }
            }
            guard let image = try? EncodedImage(data) else { continue }
            #expect((1...ImageLimits.sideMax).contains(image.width), "seed \(seed)")
            let isFew = image.width * image.height <= ImageLimits.pixelsMax
            #expect(isFew || image.format == .svg, "seed \(seed)")
            #expect(image.withoutMetadata.withoutMetadata == image.withoutMetadata, "seed \(seed)")
        }
    }

    @Test func givesBytesBackUnchanged() {
        for sample in Pictures.samples {
            let image = UIImage(data: sample.data)
            let isPNG = [.png, .apng].contains(sample.format)
            #expect(image?.pngData() == (isPNG ? sample.data : nil))
            let isJPEG = sample.format == .jpeg
            #expect(image?.jpegData(compressionQuality: 0.1) == (isJPEG ? sample.data : nil))
        }
    }

    @Test func sizeIsInPoints() {
        let image = UIImage(data: Pictures.png(width: 30, height: 60), scale: 3)
        #expect(image?.size == CGSize(width: 10, height: 20))
        #expect(UIImage(data: Pictures.png(width: 30, height: 60), scale: -.infinity)?.scale == 1)
        #expect(UIImage().size == .zero)
    }

    @Test func findsResourcesByName() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).resources")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Pictures.png(width: 7, height: 8).write(to: folder.appending(path: "cherry.png"))
        let bundle = Bundle(url: folder)
        #expect(UIImage(named: "cherry", in: bundle)?.size.width == 7)
        #expect(UIImage(named: "cherry.png", in: bundle)?.size.height == 8)
        #expect(UIImage(named: "pear", in: bundle) == nil)
        try Pictures.png(width: 9, height: 12).write(to: folder.appending(path: "fig@3x.png"))
        #expect(UIImage(named: "fig", in: bundle)?.size == CGSize(width: 3, height: 4))
        #expect(UIImage(named: "fig.png", in: bundle)?.scale == 3)
        #expect(UIImage(named: "../\(folder.lastPathComponent)/cherry", in: bundle) == nil)
        #expect(UIImage(named: "pear") == nil)
        let path = folder.appending(path: "cherry.png").path
        #expect(UIImage(contentsOfFile: path)?.size.width == 7)
        #expect(UIImage(contentsOfFile: folder.path) == nil)
    }
}
