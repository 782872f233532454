/// The picture that a message of a plan carries: a PNG of one pixel, and bytes behind it that
/// decoders ignore.
package enum PlanPicture {
    private static let pixel: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
        0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F,
        0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x00,
        0x01, 0x00, 0x00, 0x05, 0x00, 0x01, 0x0D, 0x0A, 0x2D, 0xB4, 0x00, 0x00, 0x00, 0x00, 0x49,
        0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    /// The bytes, derived from the URL of the message; at least those of the pixel.
    package static func bytes(_ count: Int, url: String) -> [UInt8] {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        for byte in url.utf8 { state = (state ^ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd }
        var bytes = pixel
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: state >> UInt64(shift)))
            }
        }
        bytes.removeLast(max(0, bytes.count - max(count, pixel.count)))
        return bytes
    }
}
