/// Reads a JPEG: segments and scans up to the end marker.
enum JPEGHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        var needed = NeededParts()
        needed.add(0..<2)
        var (orientation, position) = (1, 2)
        var size: (width: Int, height: Int)?
        var hasScan = false
        while true {
            guard try bytes.byte(position) == 0xFF else { throw .malformed }
            let marker = try bytes.byte(position + 1)
            // Padding before a marker, and markers without a segment.
            if marker == 0xFF || marker == 0x01 || (0xD0...0xD7).contains(marker) {
                let end = position + (marker == 0xFF ? 1 : 2)
                needed.add(try bytes.range(position, upTo: end))
                position = end
                continue
            }
            if marker == 0xD9 { break }
            guard marker > 0xBF, marker != 0xD8 else { throw .malformed }
            let length = try bytes.bigEndian(position + 2, size: 2)
            guard length >= 2 else { throw .malformed }
            var segment = try bytes.range(position, upTo: position + 2 + length)
            switch marker {
            case 0xC4, 0xCC, 0xC8: break
            case 0xC0...0xCF:
                // The other kinds of JPEG, and samples of other than 8 bits, are shown by nobody.
                guard marker <= 0xC2, length >= 8, try bytes.byte(position + 4) == 8 else {
                    throw .malformed
                }
                let height = try bytes.bigEndian(position + 5, size: 2)
                size = (try bytes.bigEndian(position + 7, size: 2), height)
            case 0xDA:
                guard size != nil else { throw .malformed }
                hasScan = true
                let end = try endOfScan(bytes, from: segment.upperBound)
                segment = segment.lowerBound..<end
            case 0xE1 where bytes.has("Exif\0\0", at: position + 4) && orientation == 1:
                orientation = EXIF.orientation(in: bytes, position + 10..<segment.upperBound)
            default: break
            }
            add(marker, segment, bytes, to: &needed)
            position = segment.upperBound
        }
        needed.add(try bytes.range(position, upTo: position + 2))
        guard let size, hasScan else { throw .malformed }
        return try ImageHeader(
            .jpeg,
            width: size.width,
            height: size.height,
            orientation: orientation,
            needed: needed
        )
    }

    /// The position of the first marker behind the scan that is not a part of it.
    private static func endOfScan(
        _ bytes: ImageBytes,
        from start: Int
    ) throws(ImageError) -> Int {
        var position = start
        while let found = bytes.position(of: 0xFF, from: position) {
            let next = try bytes.byte(found + 1)
            guard next == 0 || next == 0xFF || (0xD0...0xD7).contains(next) else { return found }
            position = found + (next == 0xFF ? 1 : 2)
        }
        throw .truncated
    }

    /// Adds a segment if the picture looks different without it: not comments, and of the segments
    /// of applications only color profiles and color codings.
    private static func add(
        _ marker: UInt8,
        _ segment: Range<Int>,
        _ bytes: ImageBytes,
        to needed: inout NeededParts
    ) {
        let content = segment.lowerBound + 4
        switch marker {
        // A thumbnail may follow, which can show parts that were cut off.
        case 0xE0 where bytes.has("JFIF\0", at: content):
            if add(14, of: segment, to: &needed) { needed.change(content + 12, to: [0, 0]) }
        case 0xEE where bytes.has("Adobe", at: content): _ = add(12, of: segment, to: &needed)
        case 0xE2 where bytes.has("ICC_PROFILE\0", at: content): needed.add(segment)
        case 0xC0...0xC2, 0xC4, 0xCC, 0xDA...0xDD: needed.add(segment)
        default: break
        }
    }

    /// Adds a segment with its first `count` bytes of content; false if it has fewer.
    private static func add(
        _ count: Int,
        of segment: Range<Int>,
        to needed: inout NeededParts
    ) -> Bool {
        let start = segment.lowerBound
        guard start + 4 + count <= segment.upperBound else { return false }
        needed.add(start..<start + 4 + count)
        needed.change(start + 2, to: [0, UInt8(count + 2)])
        return true
    }
}
