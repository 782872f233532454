/// Reads a GIF: the description of the screen, and blocks up to the trailer.
enum GIFHeader {
    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        let width = try bytes.littleEndian(6, size: 2)
        let height = try bytes.littleEndian(8, size: 2)
        var position = 13 + colors(try bytes.byte(10))
        var needed = NeededParts()
        needed.add(try bytes.range(0, upTo: position))
        var frames = 0
        while true {
            let start = position
            var isNeeded = true
            switch try bytes.byte(position) {
            case 0x3B:
                needed.add(position..<position + 1)
                guard frames > 0 else { throw .malformed }
                return try ImageHeader(
                    .gif,
                    width: width,
                    height: height,
                    frames: frames,
                    needed: needed
                )
            case 0x2C:
                frames += 1
                // The description of the frame, its colors, and the size of its codes.
                position += 10 + colors(try bytes.byte(position + 9)) + 1
            case 0x21:
                isNeeded = try isSeen(bytes, position)
                position += 2
            default: throw .malformed
            }
            // Sub-blocks with their lengths follow, up to a sub-block of length 0.
            while true {
                let length = Int(try bytes.byte(position))
                position += 1 + length
                if length == 0 { break }
            }
            if isNeeded { needed.add(try bytes.range(start, upTo: position)) }
        }
    }

    /// The bytes of a table of colors, by the flags before it.
    private static func colors(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Whether an extension says how frames are shown and repeated.
    private static func isSeen(_ bytes: ImageBytes, _ position: Int) throws(ImageError) -> Bool {
        switch try bytes.byte(position + 1) {
        case 0xF9: true
        case 0xFF:
            bytes.has("NETSCAPE2.0", at: position + 3) || bytes.has("ANIMEXTS1.0", at: position + 3)
        default: false
        }
    }
}
