import Foundation

/// A picture as its encoded bytes, which were read up to the end of the file.
///
/// Senders and readers share this check. Nothing is decoded, so the data of the pixels may still be
/// broken.
package struct EncodedImage: Hashable, Sendable {
    package let data: Data
    package let format: ImageFormat
    /// The width in pixels, as the picture is shown: EXIF may turn it.
    package let width: Int
    /// The height in pixels, as the picture is shown.
    package let height: Int

    /// Reads the parts of the file, which give the format and the size.
    package init(_ data: Data) throws(ImageError) {
        guard data.count <= ImageLimits.bytesMax else { throw .tooLarge(bytes: data.count) }
        let header = try ImageHeader(data)
        try header.checkSize()
        self.data = data
        format = header.format
        width = header.width
        height = header.height
    }
}

/// The picture formats that messages can carry.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case png
    /// PNG with several frames.
    case apng
    case jpeg
    case gif
    case webp
    case svg

    /// The media type under which the picture is stored and served.
    package var mediaType: String {
        switch self {
        case .png: "image/png"
        case .apng: "image/apng"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .svg: "image/svg+xml"
        }
    }

    /// The extensions of picture files.
    static let extensions = ["png", "jpg", "jpeg", "gif", "webp", "svg", "apng", "jfif"]

    /// Whether the extension is that of a picture file.
    package static func isPicture(fileExtension: String) -> Bool {
        extensions.contains(fileExtension.lowercased())
    }
}

/// Why bytes are not accepted as a picture.
package enum ImageError: Error, Hashable, Sendable {
    /// The bytes begin like no known format.
    case unknownFormat
    /// The bytes end before the end marker of the picture.
    case truncated
    /// The parts of the file contradict each other or are of no known kind.
    case malformed
    /// The width or the height is zero.
    case improperSize
    /// The picture has more pixels than `ImageLimits` allows, all frames together.
    case tooManyPixels(width: Int, height: Int, frames: Int)
    /// A drawing (SVG) has parts that could keep a browser busy for long, or nobody can tell.
    case tooMuchToDraw
    /// The picture has more bytes than `ImageLimits.bytesMax`.
    case tooLarge(bytes: Int)
}

extension ImageError {
    /// Whether the picture is sound and only takes more to show than it may.
    package var isOfCost: Bool {
        switch self {
        case .tooManyPixels, .tooMuchToDraw: true
        case .unknownFormat, .truncated, .malformed, .improperSize, .tooLarge: false
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// A sentence for people.
    package var description: String {
        switch self {
        case .unknownFormat: "It begins like no kind of picture."
        case .truncated: "It was cut: its end is missing."
        case .malformed: "It begins like a picture and goes on like none."
        case .improperSize: "It has a width or a height of zero."
        case .tooManyPixels(let width, let height, let frames):
            "It has \(width) × \(height) pixels" + (frames > 1 ? " in \(frames) frames" : "")
                + "; at most \(ImageLimits.pixelsMax / 1_000_000) million are shown."
        case .tooMuchToDraw:
            "It has parts that may take a browser too long to draw, as copies, masks, filters, "
                + "pictures or animations, or too many of them."
        case .tooLarge(let bytes):
            "It has \(bytes) bytes; at most \(ImageLimits.bytesMax) are read."
        }
    }
}

/// Bounds on pictures from any source.
package enum ImageLimits {
    /// The largest picture, in bytes.
    package static let bytesMax = 64 * 1_024 * 1_024
    /// The longest side, in pixels.
    package static let sideMax = 65_535
    /// The most pixels of all frames together: a browser takes four bytes for each.
    package static let pixelsMax = 40_000_000
    /// The root tag of an SVG must end within this many bytes.
    package static let svgHeadBytesMax = 64 * 1_024
}

extension EncodedImage: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(Data.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(data)
    }
}
