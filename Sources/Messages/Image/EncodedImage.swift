import Foundation

/// A picture as its encoded bytes, of which only the header was checked.
///
/// Nothing is decoded, so the bytes behind the header may still be broken.
package struct EncodedImage: Hashable, Sendable {
    package let data: Data
    package let format: ImageFormat
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int

    /// Reads the header, which gives the format and the size.
    package init(_ data: Data) throws(ImageError) {
        guard data.count <= ImageLimits.bytesMax else { throw .tooLarge(bytes: data.count) }
        let header = try ImageHeader(data)
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
}

/// Why bytes are not accepted as a picture.
package enum ImageError: Error, Hashable, Sendable {
    /// The bytes begin like none of the formats.
    case unknownFormat
    /// The bytes end before the size of the picture.
    case truncated
    /// The header contradicts itself.
    case malformed
    /// The width or the height is zero, or larger than `ImageLimits` allows.
    case improperSize
    /// The picture has more bytes than `ImageLimits.bytesMax`.
    case tooLarge(bytes: Int)
}

/// Bounds on pictures from any source.
package enum ImageLimits {
    /// The largest picture, in bytes.
    package static let bytesMax = 64 * 1_024 * 1_024
    /// The longest side, in pixels.
    package static let sideMax = 65_535
    /// The largest area, in pixels.
    package static let pixelsMax = 1 << 28
    /// The number of segments or chunks of a file that are searched for its size.
    package static let partsMax = 4_096
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
