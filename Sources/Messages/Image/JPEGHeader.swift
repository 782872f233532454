/// Reads the size of a JPEG from the first segment that starts a frame.
enum JPEGHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        var position = 2
        for _ in 0..<ImageLimits.partsMax {
            guard try bytes.byte(position) == 0xFF else { throw .malformed }
            let marker = try bytes.byte(position + 1)
            switch marker {
            case 0xFF:
                // Padding before a marker.
                position += 1
            case 0x01, 0xD0...0xD7:
                position += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard try bytes.bigEndian(position + 2, size: 2) >= 8 else { throw .malformed }
                let height = try bytes.bigEndian(position + 5, size: 2)
                let width = try bytes.bigEndian(position + 7, size: 2)
                return try ImageHeader(.jpeg, width: width, height: height)
            case 0xD8, 0xD9, 0xDA, 0x00:
                throw .malformed
            default:
                let length = try bytes.bigEndian(position + 2, size: 2)
                guard length >= 2 else { throw .malformed }
                position += 2 + length
            }
        }
        throw .malformed
    }
}
