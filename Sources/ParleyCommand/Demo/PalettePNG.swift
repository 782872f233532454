package import Foundation

/// A small picture with a palette, written as PNG without compression.
package struct PalettePNG: Sendable {
    private let width: Int
    private let palette: [[UInt8]]
    private let pixels: [UInt8]

    /// Makes a picture from rows of `width` pixels, each of which is an index of the palette.
    package init(width: Int, palette: [[UInt8]], pixels: [UInt8]) {
        precondition(width > 0 && pixels.count.isMultiple(of: width), "Rows are complete.")
        self.width = width
        self.palette = palette
        self.pixels = pixels
    }

    /// The bytes of the PNG file.
    package var bytes: Data {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let size = Self.big(UInt32(width)) + Self.big(UInt32(pixels.count / width))
        // The header says: 8 bits per pixel, with a palette, not interlaced.
        file += Self.chunk("IHDR", size + [8, 3, 0, 0, 0])
        file += Self.chunk("PLTE", palette.flatMap(\.self))
        file += Self.chunk("IDAT", compressed)
        file += Self.chunk("IEND", [])
        return Data(file)
    }

    /// The rows, each after its filter byte, in stored blocks of a zlib stream.
    private var compressed: [UInt8] {
        var rows: [UInt8] = []
        for start in stride(from: 0, to: pixels.count, by: width) {
            rows.append(0)
            rows += pixels[start..<start + width]
        }
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let block = rows[start..<min(start + 65_535, rows.count)]
            let count = UInt16(block.count)
            stream.append(start + block.count == rows.count ? 1 : 0)
            for value in [count, ~count] {
                stream += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
            }
            stream += block
        }
        return stream + Self.big(Self.adler(rows))
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(UInt32(data.count)) + body + big(crc(body))
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
