package import Foundation
package import Messages
import ParleyNode

/// A file to send, as its receivers will see it.
package struct CheckedFile {
    /// The picture that receivers see; nil for a file that can only be saved.
    package let picture: EncodedImage?
    /// A hint for the sender: the picture can only be saved, or the file may tell where it was
    /// made.
    package let note: String?
    /// The bytes without metadata; nil if there are none to remove.
    package let withoutMetadata: Data?
    /// The media type.
    let type: String

    /// The extensions of photos whose metadata are not read here.
    private static let photos = ["heic", "heif", "avif", "tif", "tiff", "dng"]
    private static let placeNote =
        "It may tell where it was made: only JPEG, PNG, WebP and GIF are sent without that."

    /// Checks the file as receivers do.
    ///
    /// - Throws: `HostError` if the file is empty or too large, or is called a picture and is none.
    package init(_ data: Data, name: String, fileExtension: String? = nil) throws(HostError) {
        guard !data.isEmpty else { throw .refused(.fileUnreadable, "The file is empty.") }
        guard data.count <= MessageLimits.pictureBytes else {
            throw .tooLarge(what: "the file", size: data.count, limit: MessageLimits.pictureBytes)
        }
        let ending = fileExtension ?? name.split(separator: ".").last.map(String.init) ?? ""
        do throws(ImageError) {
            let picture = try EncodedImage(data)
            self.picture = picture
            withoutMetadata = EncodedImage.withoutMetadata(data)
            note = nil
            type = picture.format.mediaType
        } catch let error where error.isOfCost {
            picture = nil
            withoutMetadata = EncodedImage.withoutMetadata(data)
            note = error.description + " It can only be saved."
            type = MediaType.ofFile
        } catch {
            guard !ImageFormat.isPicture(fileExtension: ending) else {
                throw .notAPicture(name: name, reason: error.description)
            }
            picture = nil
            withoutMetadata = nil
            note = Self.photos.contains(ending.lowercased()) ? Self.placeNote : nil
            type = MediaType.of(fileExtension: ending)
        }
    }
}
