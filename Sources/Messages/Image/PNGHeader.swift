/// Reads a PNG or APNG: the signature, and the chunks up to `IEND`.
enum PNGHeader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The ancillary chunks that change a picture's look; critical chunks begin with a capital.
    private static let seen: Set<String> = [
        "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "bKGD", "pHYs", "cICP", "mDCV", "cLLI",
        "acTL", "fcTL", "fdAT",
    ]

    static func read(_ bytes: ImageBytes) throws(ImageError) -> ImageHeader {
        guard try bytes.bigEndian(8, size: 4) == 13, bytes.has("IHDR", at: 12) else {
            throw .malformed
        }
        let (width, height) = (try bytes.bigEndian(16, size: 4), try bytes.bigEndian(20, size: 4))
        let (depth, color) = (try bytes.byte(24), try bytes.byte(25))
        guard [1, 2, 4, 8, 16].contains(depth), [0, 2, 3, 4, 6].contains(color) else {
            throw .malformed
        }
        var needed = NeededParts()
        needed.add(0..<8)
        var format = ImageFormat.png
        var (hasData, frames, position) = (false, 0, 8)
        while true {
            // Length, name and checksum are 12 bytes.
            let end = position + 12 + (try bytes.bigEndian(position, size: 4))
            let chunk = try bytes.range(position, upTo: end)
            let name = try self.name(bytes, position + 4)
            switch name {
            case "IDAT": hasData = true
            // Frames that `acTL` announces after the first picture data are not shown.
            case "acTL": if !hasData { format = .apng }
            case "fcTL": frames += 1
            default: break
            }
            if name.first?.isUppercase == true || seen.contains(name) { needed.add(chunk) }
            position = end
            if name == "IEND" { break }
        }
        guard hasData else { throw .malformed }
        return try ImageHeader(
            format,
            width: width,
            height: height,
            frames: max(1, format == .apng ? frames : 1),
            needed: needed
        )
    }

    private static func name(_ bytes: ImageBytes, _ position: Int) throws(ImageError) -> String {
        var name = ""
        for offset in 0..<4 {
            name.unicodeScalars.append(Unicode.Scalar(try bytes.byte(position + offset)))
        }
        return name
    }
}
