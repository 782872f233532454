/// The smallest pictures there are.
enum Pictures {
    /// One pixel.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [
            1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
        ]

    /// One pixel, as far as its header says.
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0]
        + [0x2F, 0, 0, 0, 0, 0]

    /// A PNG of that size whose data are `count` bytes.
    static func png(width: UInt8, height: UInt8, tail count: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += [0, 0, 0, 13] + Array("IHDR".utf8)
        bytes += [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0, 0, 0, 0, 0]
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        bytes += Array("IDAT".utf8) + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return bytes + [0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
    }
}
