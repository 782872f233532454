/// Reads the size of a PNG or APNG from its first chunk, behind the signature.
enum PNGHeader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        guard try bytes.bigEndian(8, size: 4) == 13, bytes.has(Array("IHDR".utf8), at: 12) else {
            throw .malformed
        }
        let width = try bytes.bigEndian(16, size: 4)
        let height = try bytes.bigEndian(20, size: 4)
        let depth = try bytes.byte(24)
        let color = try bytes.byte(25)
        guard [1, 2, 4, 8, 16].contains(depth), [0, 2, 3, 4, 6].contains(color) else {
            throw .malformed
        }
        return try ImageHeader(try kind(bytes), width: width, height: height)
    }

    /// Returns APNG if the chunk that announces frames comes before the first chunk of picture
    /// data.
    private static func kind(_ bytes: ImageBytes) throws(ImageError) -> ImageFormat {
        var position = 33
        for _ in 0..<ImageLimits.partsMax {
            let length = try bytes.bigEndian(position, size: 4)
            if bytes.has(Array("IDAT".utf8), at: position + 4) { return .png }
            if bytes.has(Array("acTL".utf8), at: position + 4) { return .apng }
            // Length, name and checksum are 12 bytes.
            position += 12 + length
        }
        throw .malformed
    }
}
