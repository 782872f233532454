import Foundation

extension EncodedImage {
    /// The picture without what only tells about it.
    package var withoutMetadata: EncodedImage {
        guard let kept = Self.withoutMetadata(data) else { return self }
        return (try? EncodedImage(kept)) ?? self
    }

    /// The file of a picture without what only tells about it; nil if there is nothing of that.
    ///
    /// That is where, when, by whom and with what it was made, comments, and whatever stands behind
    /// its end. It looks the same, as nothing is encoded anew; its orientation stays. A
    /// drawing (SVG) stays as it is. The picture may be larger than one that is shown.
    package static func withoutMetadata(_ data: Data) -> Data? {
        guard let header = try? ImageHeader(data), header.format != .svg else { return nil }
        var kept = header.needed.joined(from: data)
        guard kept.count < data.count else { return nil }
        switch header.format {
        case .jpeg where header.orientation > 1:
            // Behind the two bytes with which every JPEG begins, and a JFIF segment, which has to
            // be the first one.
            let isJFIF = ImageBytes(kept).has("JFIF\0", at: 6)
            let place = isJFIF ? 4 + Int(kept[4]) << 8 + Int(kept[5]) : 2
            kept.insert(contentsOf: EXIF.segment(header.orientation), at: place)
        case .webp:
            let count = UInt32(kept.count - 8)
            for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
            // The flags that say that metadata follow.
            if ImageBytes(kept).has("VP8X", at: 12) { kept[20] &= ~0x0C }
        default: break
        }
        return kept
    }
}
