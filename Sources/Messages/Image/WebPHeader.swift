/// Reads a WebP; lossy, lossless and extended files each have the size at another offset.
enum WebPHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        // The container's length does not count its first 8 bytes.
        let end = 8 + (try bytes.littleEndian(4, size: 4))
        _ = try bytes.range(8, upTo: end)
        var needed = NeededParts()
        needed.add(0..<12)
        var size: Size?
        var (isExtended, hasPicture, frames, position) = (false, false, 0, 12)
        while position < end {
            let length = try bytes.littleEndian(position + 4, size: 4)
            let content = position + 8
            // A chunk of odd length is padded with one byte.
            let next = content + length + length % 2
            guard next <= end else { throw .truncated }
            var isNeeded = true
            if bytes.has("VP8X", at: position) {
                isExtended = true
                size = Size(
                    width: try bytes.littleEndian(content + 4, size: 3) + 1,
                    height: try bytes.littleEndian(content + 7, size: 3) + 1
                )
            } else if let picture = try picture(bytes, position) {
                hasPicture = true
                // A picture of another size than its file says is shown by nobody.
                guard size == nil || size == picture else { throw .malformed }
                size = picture
            } else if bytes.has("ANMF", at: position) {
                frames += 1
                isNeeded = false
                try addFrame(bytes, content..<content + length, to: &needed)
            } else {
                isNeeded = ["ICCP", "ALPH", "ANIM"].contains { bytes.has($0, at: position) }
            }
            if isNeeded { needed.add(position..<next) }
            position = next
        }
        guard let size, hasPicture || isExtended && frames > 0 else { throw .malformed }
        return try ImageHeader(
            .webp,
            width: size.width,
            height: size.height,
            frames: max(1, frames),
            needed: needed
        )
    }

    /// Adds a frame of an animation: the 16 bytes of the frame's header, and its picture chunks.
    private static func addFrame(
        _ bytes: ImageBytes,
        _ content: Range<Int>,
        to needed: inout NeededParts
    ) throws(ImageError) {
        guard content.count >= 16 else { throw .malformed }
        let size = content.lowerBound - 4
        var position = content.lowerBound + 16
        needed.add(size - 4..<position)
        var count = 16
        var parts: [Range<Int>] = []
        while position < content.upperBound {
            let length = try bytes.littleEndian(position + 4, size: 4)
            let end = position + 8 + length + length % 2
            guard end <= content.upperBound else { throw .truncated }
            if ["ALPH", "VP8 ", "VP8L"].contains(where: { bytes.has($0, at: position) }) {
                parts.append(position..<end)
                count += end - position
            }
            position = end
        }
        needed.change(size, to: (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
        for part in parts { needed.add(part) }
    }

    private struct Size: Equatable {
        let width: Int
        let height: Int
    }

    /// The size in a chunk of picture data; nil for any other chunk.
    private static func picture(
        _ bytes: ImageBytes,
        _ position: Int
    ) throws(ImageError) -> Size? {
        let content = position + 8
        if bytes.has("VP8L", at: position) {
            guard try bytes.byte(content) == 0x2F else { throw .malformed }
            let bits = try bytes.littleEndian(content + 1, size: 4)
            return Size(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        }
        guard bytes.has("VP8 ", at: position) else { return nil }
        guard try bytes.bigEndian(content + 3, size: 3) == 0x9D012A else { throw .malformed }
        return Size(
            width: try bytes.littleEndian(content + 6, size: 2) & 0x3FFF,
            height: try bytes.littleEndian(content + 8, size: 2) & 0x3FFF
        )
    }
}
