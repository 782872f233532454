import Foundation

extension EncodedImage {
    /// The picture without metadata.
    package var withoutMetadata: EncodedImage {
        guard let kept = Self.withoutMetadata(data) else { return self }
        return (try? EncodedImage(kept)) ?? self
    }

    /// The file of a picture without metadata; nil if there are none.
    ///
    /// Metadata are comments, the place and time of the picture, its author and tool, and all bytes
    /// behind its end. Nothing is encoded anew, so the picture looks the same and keeps its
    /// orientation. A drawing (SVG) stays as it is. The picture may exceed `ImageLimits`.
    package static func withoutMetadata(_ data: Data) -> Data? {
        guard let header = try? ImageHeader(data), header.format != .svg else { return nil }
        var kept = header.needed.joined(from: data)
        guard kept.count < data.count else { return nil }
        switch header.format {
        case .jpeg where header.orientation > 1:
            // The place is behind the two bytes at the start of every JPEG, and behind a JFIF
            // segment, which must come first.
            let isJFIF = ImageBytes(kept).has("JFIF\0", at: 6)
            let place = isJFIF ? 4 + Int(kept[4]) << 8 + Int(kept[5]) : 2
            kept.insert(contentsOf: EXIF.segment(header.orientation), at: place)
        case .webp:
            let count = UInt32(kept.count - 8)
            for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
            // The flags that announce metadata.
            if ImageBytes(kept).has("VP8X", at: 12) { kept[20] &= ~0x0C }
        default: break
        }
        return kept
    }
}
