import Foundation

/// Stickers must not be SVG, so a drawing can also be written as PNG.
extension Drawing {
    /// The drawing as a PNG picture of 300 by 300 pixels, transparent around the shapes.
    var png: Data {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let size = UInt32(Self.side)
        // 8 bits for each of red, green, blue and opacity.
        file += Self.chunk("IHDR", Self.big(size) + Self.big(size) + [8, 6, 0, 0, 0])
        file += Self.chunk("IDAT", Self.zlib(rows))
        file += Self.chunk("IEND", [])
        return Data(file)
    }

    /// The pixels row by row; each row begins with 0, as its bytes are not filtered.
    private var rows: [UInt8] {
        let side = Int(Self.side)
        var pixels = [Pixel](repeating: Pixel(), count: side * side)
        for shape in shapes {
            for y in 0..<side {
                for (x, share) in Self.coverage(of: shape.outline, row: y, width: side) {
                    pixels[y * side + x].cover(with: shape.color, share)
                }
            }
        }
        var bytes: [UInt8] = []
        for y in 0..<side {
            bytes.append(0)
            for pixel in pixels[y * side..<(y + 1) * side] { bytes += pixel.bytes }
        }
        return bytes
    }

    private struct Pixel {
        var red = 0.0, green = 0.0, blue = 0.0, opacity = 0.0

        mutating func cover(with color: Color, _ share: Double) {
            let over = color.opacity * share
            let under = opacity * (1 - over)
            let sum = over + under
            guard sum > 0 else { return }
            red = (Double(color.red) * over + red * under) / sum
            green = (Double(color.green) * over + green * under) / sum
            blue = (Double(color.blue) * over + blue * under) / sum
            opacity = sum
        }

        var bytes: [UInt8] {
            [red, green, blue, opacity * 255].map { UInt8(max(0, min(255, $0.rounded()))) }
        }
    }

    /// The pixels of a row that an outline covers, with the covered share of each.
    private static func coverage(
        of outline: [CGPoint],
        row: Int,
        width: Int
    ) -> [(x: Int, share: Double)] {
        let lines = 4
        var shares: [Int: Double] = [:]
        for line in 0..<lines {
            let y = Double(row) + (Double(line) + 0.5) / Double(lines)
            var crossings: [Double] = []
            for (a, b) in zip(outline, outline.dropFirst() + outline.prefix(1)) {
                let (ay, by) = (Double(a.y), Double(b.y))
                guard (ay <= y) != (by <= y) else { continue }
                crossings.append(Double(a.x) + (y - ay) / (by - ay) * Double(b.x - a.x))
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let left = max(0, crossings[pair])
                let right = min(Double(width), crossings[pair + 1])
                guard left < right else { continue }
                for x in Int(left)...min(width - 1, Int(right)) {
                    let covered = min(right, Double(x + 1)) - max(left, Double(x))
                    shares[x, default: 0] += max(0, covered) / Double(lines)
                }
            }
        }
        return shares.map { (x: $0.key, share: min(1, $0.value)) }
    }

    // MARK: The file

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(UInt32(data.count)) + body + big(crc(body))
    }

    /// A zlib stream whose blocks are stored as they are.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            stream.append(block.endIndex == bytes.count ? 1 : 0)
            for value in [UInt16(block.count), ~UInt16(block.count)] {
                stream += [UInt8(value & 0xFF), UInt8(value >> 8)]
            }
            stream += block
        }
        return stream + big(adler(bytes))
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
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
        let sums = bytes.reduce((low: UInt32(1), high: UInt32(0))) { sums, byte in
            let low = (sums.low + UInt32(byte)) % 65_521
            return (low, (sums.high + low) % 65_521)
        }
        return sums.high << 16 | sums.low
    }
}
