import Foundation

/// The format and size of a picture, read from the beginning of its bytes.
struct ImageHeader: Equatable {
    let format: ImageFormat
    let width: Int
    let height: Int

    init(_ data: Data) throws(ImageError) {
        let bytes = ImageBytes(data)
        if bytes.starts(with: PNGHeader.signature) {
            self = try PNGHeader.read(bytes)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = try JPEGHeader.read(bytes)
        } else if bytes.starts(with: Array("GIF87a".utf8))
            || bytes.starts(with: Array("GIF89a".utf8))
        {
            self = try GIFHeader.read(bytes)
        } else if bytes.starts(with: Array("RIFF".utf8)),
            bytes.has(Array("WEBP".utf8), at: 8)
        {
            self = try WebPHeader.read(bytes)
        } else {
            self = try SVGHeader.read(bytes)
        }
    }

    /// Checks the size against `ImageLimits`.
    init(_ format: ImageFormat, width: Int, height: Int) throws(ImageError) {
        let sides = 1...ImageLimits.sideMax
        guard
            sides.contains(width), sides.contains(height),
            width * height <= ImageLimits.pixelsMax
        else { throw .improperSize }
        self.format = format
        self.width = width
        self.height = height
    }
}

/// Bounds-checked access to bytes by position, without copying them.
struct ImageBytes {
    private let data: Data

    init(_ data: Data) {
        self.data = data
    }

    var count: Int { data.count }

    func byte(_ position: Int) throws(ImageError) -> UInt8 {
        guard position >= 0, position < data.count else { throw .truncated }
        return data[data.startIndex + position]
    }

    /// A number of `size` bytes, most significant first; `size` is at most 4.
    func bigEndian(_ position: Int, size: Int) throws(ImageError) -> Int {
        var value = 0
        for offset in 0..<size { value = value << 8 | Int(try byte(position + offset)) }
        return value
    }

    /// A number of `size` bytes, least significant first; `size` is at most 4.
    func littleEndian(_ position: Int, size: Int) throws(ImageError) -> Int {
        var value = 0
        for offset in 0..<size { value |= Int(try byte(position + offset)) << (8 * offset) }
        return value
    }

    func has(_ text: [UInt8], at position: Int) -> Bool {
        guard position >= 0, data.count - text.count >= position else { return false }
        return text.indices.allSatisfy { data[data.startIndex + position + $0] == text[$0] }
    }

    func starts(with text: [UInt8]) -> Bool { has(text, at: 0) }

    /// The first `max` bytes, or all bytes if there are fewer.
    func prefix(_ max: Int) -> [UInt8] { Array(data.prefix(max)) }
}
