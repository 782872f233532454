package import Foundation
package import ParleyAPI

/// New files and directories for this user alone, in directories that others may share.
///
/// No other user can have put a link or a directory in their place.
package enum PrivateFiles {
    /// Makes a directory in the temporary one, named `name` and a random end.
    package static func folder(_ name: String) throws(Problem) -> URL {
        let parent = FileManager.default.temporaryDirectory
        var path = Array(parent.appending(path: "\(name).XXXXXX").path.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw Problem(
                .dataDirectoryUnusable,
                "No directory can be made in \(parent.path): \(String(cString: strerror(errno))).",
                hint: "Name another temporary directory with the variable TMPDIR."
            )
        }
        let made = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return URL(filePath: String(decoding: made, as: UTF8.self), directoryHint: .isDirectory)
    }

    /// Makes an empty file and opens it; an earlier file of the name is removed.
    package static func file(at path: String) throws(Problem) -> FileHandle {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Problem(
                .cannotWrite,
                "\(path) cannot be made: \(String(cString: strerror(errno))).",
                hint: "Choose another directory."
            )
        }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }
}
