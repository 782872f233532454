import Foundation

/// A picture as bytes whose beginning says what they are: nothing is decoded, so a picture may
/// still turn out to be broken further on.
package struct EncodedImage: Hashable, Sendable {
    package let data: Data
    package let format: ImageFormat
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int

    /// Reads the header.
    package init(_ data: Data) throws(ImageError) {
        guard data.count <= ImageLimits.bytesMax else { throw .tooLarge(bytes: data.count) }
        let header = try ImageHeader(data)
        self.data = data
        format = header.format
        width = header.width
        height = header.height
    }
}

/// What kinds of pictures are carried.
package enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    case png
    /// PNG with several frames.
    case apng
    case jpeg
    case gif
    case webp
    case svg

    /// The type to serve and store it under.
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

/// Why bytes are no picture that is carried.
package enum ImageError: Error, Hashable, Sendable {
    /// None of the formats.
    case unknownFormat
    /// The bytes end before the size of the picture.
    case truncated
    /// The header contradicts itself.
    case malformed
    /// No width, no height, or more than `ImageLimits` allows.
    case improperSize
    /// More bytes than `ImageLimits.bytesMax`.
    case tooLarge(bytes: Int)
}

/// Bounds on pictures, whoever they come from.
package enum ImageLimits {
    /// The largest picture, in bytes.
    package static let bytesMax = 64 * 1_024 * 1_024
    /// The longest side, in pixels.
    package static let sideMax = 65_535
    /// The largest area, in pixels.
    package static let pixelsMax = 1 << 28
    /// How many parts of a file are looked at before its size must have been found.
    package static let partsMax = 4_096
    /// How far into an SVG its root element must begin and end, in bytes.
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
