import Foundation

/// The format and the size of a picture with the parts of its file, which is read up to its end
/// marker; nothing is decoded.
struct ImageHeader: Equatable {
    let format: ImageFormat
    /// The width in pixels, as the picture is shown.
    let width: Int
    /// The height in pixels, as the picture is shown.
    let height: Int
    /// How the picture is turned when it is shown, from 1 to 8 as in EXIF; 1 is not at all.
    let orientation: Int
    /// The parts without which the picture would look different, in the order of the file.
    let needed: [Range<Int>]

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

    /// Makes the header of a picture whose size is that of its bytes, before it is turned.
    init(
        _ format: ImageFormat,
        width: Int,
        height: Int,
        frames: Int = 1,
        orientation: Int = 1,
        needed: [Range<Int>]
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
    /// A browser keeps each frame in the size of the whole picture. A drawing (SVG) only takes the
    /// pixels of its place on the screen.
    func checkSize() throws(ImageError) {
        guard
            width <= ImageLimits.sideMax, height <= ImageLimits.sideMax,
            format == .svg || width * height <= ImageLimits.pixelsMax / frames
        else { throw .tooManyPixels(width: width, height: height, frames: frames) }
    }
}

/// The parts of a file that a picture needs, while the file is read; neighbours become one.
struct NeededParts {
    private(set) var ranges: [Range<Int>] = []

    mutating func add(_ range: Range<Int>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }
}
