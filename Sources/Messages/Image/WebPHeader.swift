/// Reads the size of a WebP; lossy, lossless and extended files each have it at another offset.
enum WebPHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        // The container's length, which does not count its first 8 bytes, must fit into the file.
        guard try bytes.littleEndian(4, size: 4) <= bytes.count - 8 else { throw .truncated }
        if bytes.has(Array("VP8X".utf8), at: 12) {
            let width = try bytes.littleEndian(24, size: 3) + 1
            let height = try bytes.littleEndian(27, size: 3) + 1
            return try ImageHeader(.webp, width: width, height: height)
        }
        if bytes.has(Array("VP8L".utf8), at: 12) {
            guard try bytes.byte(20) == 0x2F else { throw .malformed }
            let bits = try bytes.littleEndian(21, size: 4)
            let width = bits & 0x3FFF + 1
            let height = bits >> 14 & 0x3FFF + 1
            return try ImageHeader(.webp, width: width, height: height)
        }
        guard bytes.has(Array("VP8 ".utf8), at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23) else {
            throw .malformed
        }
        let width = try bytes.littleEndian(26, size: 2) & 0x3FFF
        let height = try bytes.littleEndian(28, size: 2) & 0x3FFF
        return try ImageHeader(.webp, width: width, height: height)
    }
}
