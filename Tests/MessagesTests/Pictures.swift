import Messages

/// Pictures with all parts of their files, and without pixels.
enum Pictures {
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let samples = [
        sample("PNG", png(width: 300, height: 200), .png, 300, 200),
        sample("APNG", png(width: 5, height: 6, extra: "acTL"), .apng, 5, 6),
        sample("PNG with a profile", png(width: 5, height: 6, extra: "iCCP"), .png, 5, 6),
        sample("JPEG", jpeg(width: 640, height: 480), .jpeg, 640, 480),
        sample("progressive JPEG", jpeg(width: 640, height: 480, marker: 0xC2), .jpeg, 640, 480),
        sample("GIF", gif(width: 17, height: 19), .gif, 17, 19),
        sample("lossy WebP", lossyWebP(width: 401, height: 302), .webp, 401, 302),
        sample("lossless WebP", losslessWebP(width: 401, height: 302), .webp, 401, 302),
        sample("moving WebP", extendedWebP(width: 9, height: 8, frames: 3), .webp, 9, 8),
        sample("extended WebP", extendedWebP(width: 401, height: 302), .webp, 401, 302),
        sample("SVG", text("<svg width='30' height=\"40px\"/>"), .svg, 30, 40),
        sample("SVG with a box", text("<svg viewBox='0 0 12.4 8'></svg>"), .svg, 12, 8),
        sample("SVG of inches", text("<svg width='1in' height='2.54cm'/>"), .svg, 96, 96),
        sample("relative SVG", text("<svg width='100%' viewBox='0,0,9,8'/>"), .svg, 9, 8),
        sample("SVG of no size", text("<svg></svg>"), .svg, 300, 150),
        sample(
            "SVG after a prolog",
            text(
                "\u{FEFF}<?xml version='1.0'?>\n<!-- <svg> --><!DOCTYPE svg>\n"
                    + "<svg width='1' height='2'><g/></svg>"
            ),
            .svg,
            1,
            2
        ),
    ]

    /// A PNG with its chunks and without data of pixels; `extra` stands before the data.
    static func png(
        width: Int,
        height: Int,
        depth: UInt8 = 8,
        extra: String? = nil,
        frames: Int = 0
    ) -> Data {
        var bytes = pngSignature
        bytes += chunk("IHDR", big(width) + big(height) + [depth, 6, 0, 0, 0])
        if let extra { bytes += chunk(extra, [UInt8](repeating: 7, count: 8)) }
        for _ in 0..<frames { bytes += chunk("fcTL", [UInt8](repeating: 0, count: 26)) }
        bytes += chunk("IDAT", []) + chunk("IEND", [])
        return Data(bytes)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count) + Array(name.utf8) + content + big(0)
    }

    /// A JPEG with its segments and a scan of two bytes; `extra` stands behind the first segment.
    static func jpeg(
        width: Int,
        height: Int,
        marker: UInt8 = 0xC0,
        thumbnail: [UInt8] = [],
        extra: [UInt8] = []
    ) -> Data {
        let counts = [UInt8](repeating: thumbnail.isEmpty ? 0 : 1, count: 2)
        let head = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1] + counts
        let application = segment(0xE0, head + thumbnail)
        let frame: [UInt8] =
            [0xFF] + segment(marker, [8] + big(height).suffix(2) + big(width).suffix(2) + [0])
        let scan = segment(0xDA, [0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4]
        return Data([0xFF, 0xD8] + application + extra + frame + scan + [0xFF, 0xD9])
    }

    /// A segment of a JPEG.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(content.count + 2).suffix(2) + content
    }

    /// A GIF whose frames have no pixels.
    static func gif(width: Int, height: Int, frames: Int = 1, extra: [UInt8] = []) -> Data {
        var bytes = Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0] + extra
        for _ in 0..<frames { bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0] }
        return Data(bytes + [0x3B])
    }

    /// An extended WebP whose container says that it has `count` bytes.
    static func webp(claiming count: Int) -> Data {
        var data = extendedWebP(width: 4, height: 4)
        data.replaceSubrange(4..<8, with: little(count, 4))
        return data
    }

    private static func lossyWebP(width: Int, height: Int) -> Data {
        riff([("VP8 ", lossy(width: width, height: height))])
    }

    private static func lossy(width: Int, height: Int) -> [UInt8] {
        [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
    }

    private static func losslessWebP(width: Int, height: Int) -> Data {
        riff([("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4))])
    }

    /// A WebP with `extra` chunks before its picture.
    static func extendedWebP(
        width: Int,
        height: Int,
        flags: UInt8 = 0,
        extra: [(String, [UInt8])] = [],
        inFrames: [(String, [UInt8])] = [],
        frames: Int = 0
    ) -> Data {
        let size = little(width - 1, 3) + little(height - 1, 3)
        let shown = [("ALPH", [1, 2, 3])] + inFrames + [("VP8 ", lossy(width: 1, height: 1))]
        let frame = [UInt8](repeating: 0, count: 16) + chunks(shown)
        let picture =
            frames > 0
            ? (0..<frames).map { _ in ("ANMF", frame) }
            : [("VP8 ", lossy(width: width, height: height))]
        return riff([("VP8X", [flags, 0, 0, 0] + size)] + extra + picture)
    }

    private static func riff(_ chunks: [(name: String, content: [UInt8])]) -> Data {
        let content = Array("WEBP".utf8) + self.chunks(chunks)
        return Data(Array("RIFF".utf8) + little(content.count, 4) + content)
    }

    private static func chunks(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
        chunks.reduce([]) { all, chunk in
            all + Array(chunk.name.utf8) + little(chunk.content.count, 4) + chunk.content
                + (chunk.content.count.isMultiple(of: 2) ? [] : [0])
        }
    }

    private static func sample(
        _ name: String,
        _ data: Data,
        _ format: ImageFormat,
        _ width: Int,
        _ height: Int
    ) -> ImageTests.Sample {
        ImageTests.Sample(name: name, data: data, format: format, width: width, height: height)
    }

    private static func text(_ text: String) -> Data { Data(text.utf8) }

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
