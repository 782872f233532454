public import Foundation

/// A picture as encoded bytes, which are stored and sent unchanged and never decoded.
///
/// The formats are PNG, APNG, JPEG, GIF, WebP and SVG. Other bytes are not accepted as a picture.
public final class UIImage: NSObject, NSSecureCoding, Sendable {
    /// Archives may be read back securely.
    public static var supportsSecureCoding: Bool { true }

    /// The bytes, or nil for the empty picture.
    package let encoded: EncodedImage?

    /// The number of pixels to a point.
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

    /// Returns nil if `data` is not a picture.
    public convenience init?(data: Data) {
        self.init(data: data, scale: 1)
    }

    /// Returns nil if `data` is not a picture; a scale that is not above zero counts as 1.
    public init?(data: Data, scale: CGFloat) {
        // UIKit's initialiser cannot say why the data is not a picture.
        guard let encoded = try? EncodedImage(data) else { return nil }
        self.encoded = encoded
        self.scale = Self.sound(scale)
        super.init()
    }

    private static func sound(_ scale: CGFloat) -> CGFloat {
        scale.isFinite && scale > 0 ? scale : 1
    }

    /// Returns nil if the file cannot be read or is not a picture.
    ///
    /// The scale follows from the name: 2 for `cherry@2x.png`.
    public convenience init?(contentsOfFile path: String) {
        self.init(PictureFile(path: path, scale: ResourcePictures.scale(path)))
    }

    private convenience init?(_ picture: PictureFile) {
        // UIKit's initialiser cannot say why the file cannot be read.
        let file = LocalFile(URL(fileURLWithPath: picture.path))
        guard let data = try? file.read(bytesMax: ImageLimits.bytesMax) else { return nil }
        self.init(data: data, scale: picture.scale)
    }

    /// Looks among the program's resources for a picture called `name`: first for an image set of
    /// that name in an asset catalogue (`*.xcassets`), then for a file, with or without extension.
    ///
    /// Of an image set, this takes the picture with the most pixels to a point, in the usual look.
    public convenience init?(named name: String) {
        self.init(named: name, in: nil)
    }

    /// Looks in the same way among the resources of `bundle`, or of the program.
    public convenience init?(named name: String, in bundle: Bundle?) {
        let folders = bundle.map { [$0.bundleURL] + [$0.resourceURL].compactMap(\.self) }
        let found = ResourcePictures.file(name, in: folders ?? ResourcePictures.folders)
        guard let found else { return nil }
        self.init(found)
    }

    /// Returns nil if the archive holds no picture.
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

    /// The size in points.
    public var size: CGSize {
        let width = CGFloat(encoded?.width ?? 0)
        let height = CGFloat(encoded?.height ?? 0)
        return CGSize(width: width / scale, height: height / scale)
    }

    /// The bytes if they are PNG or APNG, else nil; other formats are not converted.
    public func pngData() -> Data? {
        encoded.flatMap { [.png, .apng].contains($0.format) ? $0.data : nil }
    }

    /// The bytes if they are JPEG, else nil; other formats are not converted, and the quality is
    /// ignored.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        encoded.flatMap { $0.format == .jpeg ? $0.data : nil }
    }

    /// Whether `object` is a picture of the same bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UIImage)?.encoded == encoded && object is UIImage
    }

    public override var hash: Int { encoded.hashValue }
}

/// The values of a picture that an archive holds.
private struct ArchivedImage: Codable {
    let image: EncodedImage?
    let scale: CGFloat
}
