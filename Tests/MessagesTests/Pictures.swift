import Messages

/// The beginnings of pictures, enough to tell kind and size.
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
        sample("extended WebP", extendedWebP(width: 401, height: 302), .webp, 401, 302),
        sample("SVG", text("<svg width='30' height=\"40px\"/>"), .svg, 30, 40),
        sample("SVG with a box", text("<svg viewBox='0 0 12.4 8'></svg>"), .svg, 12, 8),
        sample("SVG of inches", text("<svg width='1in' height='2.54cm'/>"), .svg, 96, 96),
        sample("relative SVG", text("<svg width='100%' viewBox='0,0,9,8'/>"), .svg, 9, 8),
        sample("SVG of no size", text("<svg>"), .svg, 300, 150),
        sample(
            "SVG after a prolog",
            text(
                "\u{FEFF}<?xml version='1.0'?>\n<!-- <svg> --><!DOCTYPE svg>\n"
                    + "<svg width='1' height='2'>"
            ),
            .svg,
            1,
            2
        ),
    ]

    static func png(width: Int, height: Int, depth: UInt8 = 8, extra: String? = nil) -> Data {
        var bytes = pngSignature + big(13) + Array("IHDR".utf8)
        bytes += big(width) + big(height) + [depth, 6, 0, 0, 0] + big(0)
        if let extra { bytes += big(8) + Array(extra.utf8) + [UInt8](repeating: 0, count: 12) }
        bytes += big(0) + Array("IDAT".utf8) + big(0)
        return Data(bytes)
    }

    static func jpeg(width: Int, height: Int, marker: UInt8 = 0xC0) -> Data {
        let application: [UInt8] = [0xFF, 0xE0, 0, 16] + [UInt8](repeating: 7, count: 14)
        let frame: [UInt8] =
            [0xFF, 0xFF, marker, 0, 17, 8] + big(height).suffix(2) + big(width).suffix(2)
        return Data([0xFF, 0xD8] + application + frame + [UInt8](repeating: 0, count: 10))
    }

    static func gif(width: Int, height: Int) -> Data {
        Data(Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0, 0x3B])
    }

    /// An extended WebP whose container says that it has `count` bytes.
    static func webp(claiming count: Int) -> Data {
        var data = extendedWebP(width: 4, height: 4)
        data.replaceSubrange(4..<8, with: little(count, 4))
        return data
    }

    private static func lossyWebP(width: Int, height: Int) -> Data {
        let frame: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2)
        return riff("VP8 ", frame)
    }

    private static func losslessWebP(width: Int, height: Int) -> Data {
        riff("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4))
    }

    private static func extendedWebP(width: Int, height: Int) -> Data {
        riff("VP8X", [0, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    private static func riff(_ kind: String, _ content: [UInt8]) -> Data {
        let chunk = Array("WEBP".utf8) + Array(kind.utf8) + little(content.count, 4) + content
        return Data(Array("RIFF".utf8) + little(chunk.count, 4) + chunk)
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
