public import Foundation

/// A picture as its encoded bytes: carried as they are, never decoded.
///
/// PNG, APNG, JPEG, GIF, WebP and SVG; what is none of these is no picture.
public final class UIImage: NSObject, NSSecureCoding, Sendable {
    /// Archives may be read back securely.
    public static var supportsSecureCoding: Bool { true }

    /// The bytes, or nil for the empty picture.
    package let encoded: EncodedImage?

    /// How many pixels make a point.
    public let scale: CGFloat

    /// A picture of no size.
    public override init() {
        encoded = nil
        scale = 1
        super.init()
    }

    package init(_ encoded: EncodedImage) {
        self.encoded = encoded
        scale = 1
        super.init()
    }

    /// Gives nil if `data` is no picture.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Gives nil if `data` is no picture; a scale that is not above zero counts as 1.
    public init?(data: Data, scale: CGFloat) {
        // Why it is none has no place to go in UIKit's interface.
        guard let encoded = try? EncodedImage(data) else { return nil }
        self.encoded = encoded
        self.scale = Self.sound(scale)
        super.init()
    }

    private static func sound(_ scale: CGFloat) -> CGFloat {
        scale.isFinite && scale > 0 ? scale : 1
    }

    /// Gives nil if the file cannot be read or is no picture.
    ///
    /// A name such as `cherry@2x.png` says the scale.
    public convenience init?(contentsOfFile path: String) {
        // As above.
        let file = LocalFile(URL(fileURLWithPath: path))
        guard let data = try? file.read(bytesMax: ImageLimits.bytesMax) else { return nil }
        self.init(data: data, scale: ResourcePictures.scale(path))
    }

    /// Looks among the program's resources for a picture called `name`, with or without extension.
    public convenience init?(named name: String) {
        guard let path = ResourcePictures.path(name, in: ResourcePictures.folders) else {
            return nil
        }
        self.init(contentsOfFile: path)
    }

    /// Looks among the resources of `bundle`, or of the program.
    public convenience init?(named name: String, in bundle: Bundle?) {
        let folders = bundle.map { [$0.bundleURL] + [$0.resourceURL].compactMap(\.self) }
        guard let path = ResourcePictures.path(name, in: folders ?? ResourcePictures.folders)
        else { return nil }
        self.init(contentsOfFile: path)
    }

    /// Gives nil if the archive holds no picture.
    public init?(coder: NSCoder) {
        guard let archived = ArchivedValue.decode(ArchivedImage.self, from: coder) else {
            return nil
        }
        encoded = archived.image
        scale = Self.sound(archived.scale)
        super.init()
    }

    /// Writes the bytes and the scale.
    public func encode(with coder: NSCoder) {
        ArchivedValue.encode(ArchivedImage(image: encoded, scale: scale), with: coder)
    }

    /// In points.
    public var size: CGSize {
        let width = CGFloat(encoded?.width ?? 0)
        let height = CGFloat(encoded?.height ?? 0)
        return CGSize(width: width / scale, height: height / scale)
    }

    /// The bytes if they are PNG; there is no conversion.
    public func pngData() -> Data? {
        encoded.flatMap { [.png, .apng].contains($0.format) ? $0.data : nil }
    }

    /// The bytes if they are JPEG; there is no conversion, and the quality does not count.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        encoded.flatMap { $0.format == .jpeg ? $0.data : nil }
    }

    /// Whether `object` is a picture of the same bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UIImage)?.encoded == encoded && object is UIImage
    }

    public override var hash: Int { encoded.hashValue }
}

/// What an archive holds of a picture.
private struct ArchivedImage: Codable {
    let image: EncodedImage?
    let scale: CGFloat
}
