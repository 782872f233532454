package import Foundation
import Messages
import MessagesHost
package import ParleyAPI
import ParleyNode
import ParleyWeb

/// A picture to send, read from its file.
package struct ImageFile: Sendable {
    /// The media type.
    package let type: String
    package let bytes: Data

    /// Reads the file.
    ///
    /// - Throws: `noFile`, `tooLarge` or `notAnImage`, with a remedy.
    package init(path: String) throws(Problem) {
        // A line of a batch may have any character.
        guard !path.utf8.contains(0) else { throw Self.unreadable(path, EINVAL) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        defer { close(descriptor) }
        // For a directory the read fails, and for a pipe the seek.
        var first: UInt8 = 0
        guard read(descriptor, &first, 1) >= 0 else { throw Self.unreadable(path, errno) }
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.unreadable(path, errno)
        }
        guard size <= MessageLimits.pictureBytes else {
            throw Problem(
                .tooLarge,
                "The picture \(path) has \(size) bytes; at most \(MessageLimits.pictureBytes) are "
                    + "allowed.",
                hint: "Make it smaller and send again."
            )
        }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            bytes = try handle.read(upToCount: MessageLimits.pictureBytes) ?? Data()
        } catch {
            throw Self.unreadable(path, EIO)
        }
        do throws(ImageError) {
            type = try EncodedImage(bytes).format.mediaType
        } catch {
            throw Problem(.notAPicture(name: path, reason: error.description))
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> Problem {
        Problem(
            .noFile,
            "The picture \(path) cannot be read: \(String(cString: strerror(code))).",
            hint: "Check --image."
        )
    }
}
