import Foundation

/// The format, the size and the parts of a picture file, up to its end marker; nothing is decoded.
struct ImageHeader: Equatable {
    let format: ImageFormat
    /// The width in pixels, as the picture is shown.
    let width: Int
    /// The height in pixels, as the picture is shown.
    let height: Int
    /// How the picture is turned for showing, from 1 to 8 as in EXIF; 1 means not at all.
    let orientation: Int
    /// The parts without which the picture would look different.
    let needed: NeededParts

    init(_ data: Data) throws(ImageError) {
        let bytes = ImageBytes(data)
        if bytes.starts(with: PNGHeader.signature) {
            self = try PNGHeader.read(bytes)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = try JPEGHeader.read(bytes)
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            self = try GIFHeader.read(bytes)
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = try WebPHeader.read(bytes)
        } else {
            self = try SVGHeader.read(bytes)
        }
    }

    /// The number of pictures that are shown one after the other.
    let frames: Int

    /// Makes the header of a picture; the size is that before the orientation is applied.
    init(
        _ format: ImageFormat,
        width: Int,
        height: Int,
        frames: Int = 1,
        orientation: Int = 1,
        needed: NeededParts
    ) throws(ImageError) {
        guard width > 0, height > 0 else { throw .improperSize }
        self.format = format
        self.frames = frames
        let isOnItsSide = (5...8).contains(orientation)
        self.width = isOnItsSide ? height : width
        self.height = isOnItsSide ? width : height
        self.orientation = orientation
        self.needed = needed
    }

    /// Checks the size against `ImageLimits`.
    ///
    /// A browser keeps each frame in the size of the whole picture. A drawing (SVG) takes only the
    /// pixels of its place on the screen, and `SVGElements` has checked its content.
    func checkSize() throws(ImageError) {
        guard
            width <= ImageLimits.sideMax, height <= ImageLimits.sideMax,
            format == .svg || width * height <= ImageLimits.pixelsMax / frames
        else { throw .tooManyPixels(width: width, height: height, frames: frames) }
    }
}

/// The parts of a file that a picture needs, while the file is read; neighbours become one.
struct NeededParts: Equatable {
    private(set) var ranges: [Range<Int>] = []
    /// The bytes to write in place of others, in the order of the file.
    private var changes: [Change] = []

    private struct Change: Equatable {
        let position: Int
        let byte: UInt8
    }

    /// Adds a part, which must be behind all earlier parts.
    mutating func add(_ range: Range<Int>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    /// Writes other bytes in a part, behind all earlier changes.
    mutating func change(_ position: Int, to bytes: [UInt8]) {
        changes += bytes.enumerated().map { Change(position: position + $0, byte: $1) }
    }

    /// The parts one after the other.
    func joined(from data: Data) -> Data {
        var kept = Data(capacity: data.count)
        var rest = changes[...]
        for range in ranges {
            let start = kept.count
            kept += data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
            while let next = rest.first, next.position < range.upperBound {
                rest.removeFirst()
                guard next.position >= range.lowerBound else { continue }
                kept[start + next.position - range.lowerBound] = next.byte
            }
        }
        return kept
    }
}
