package import Foundation
package import Messages
import ParleyNode

/// A file to send, as those will see it who get it.
package struct CheckedFile {
    /// The picture that they are shown; nil for a file that they can only save.
    package let picture: EncodedImage?
    /// The reason why a picture is only to be saved.
    package let note: String?
    /// The media type.
    let type: String

    /// Checks the file with the check of those who get it.
    ///
    /// - Throws: `HostError` if it is empty, too large, or called a picture and is none.
    package init(_ data: Data, name: String, fileExtension: String? = nil) throws(HostError) {
        guard !data.isEmpty else { throw .refused(.fileUnreadable, "The file is empty.") }
        guard data.count <= MessageLimits.pictureBytes else {
            throw .tooLarge(what: "the file", size: data.count, limit: MessageLimits.pictureBytes)
        }
        let ending = fileExtension ?? name.split(separator: ".").last.map(String.init) ?? ""
        do throws(ImageError) {
            let picture = try EncodedImage(data)
            self.picture = picture
            note = nil
            type = picture.format.mediaType
        } catch .tooManyPixels(let width, let height, let frames) {
            picture = nil
            note =
                ImageError.tooManyPixels(width: width, height: height, frames: frames).description
                + " It can only be saved."
            type = MediaType.ofFile
        } catch {
            guard !ImageFormat.isPicture(fileExtension: ending) else {
                throw .notAPicture(name: name, reason: error.description)
            }
            picture = nil
            note = nil
            type = MediaType.of(fileExtension: ending)
        }
    }
}
