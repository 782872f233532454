import Foundation
import ParleyAPI

/// A file written and named by a person, and read as a whole.
enum SmallFile {
    /// Reads the file, up to one byte above `bytesMax` to recognise a longer file.
    ///
    /// - Throws: `noFile` with the path and a cure.
    static func contents(
        of path: String,
        bytesMax: Int,
        _ what: String
    ) throws(Problem) -> Data {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
            isDirectory.boolValue
        {
            throw Problem(
                .noFile,
                "\(path) is a directory, and a \(what) is one file.",
                hint: "Name one of the files in it."
            )
        }
        // A shell's pipe for a command has a writer, but a named pipe may never have one.
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        let readable: [FileAttributeType] = [
            .typeRegular, .typeSymbolicLink, .typeCharacterSpecial,
        ]
        if let type = type as? FileAttributeType, !readable.contains(type) {
            throw Problem(
                .noFile,
                "\(path) is not a regular file.",
                hint: "Name a file, or a link to one."
            )
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno, what) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            return try handle.read(upToCount: bytesMax + 1) ?? Data()
        } catch {
            throw unreadable(path, EIO, what)
        }
    }

    private static func unreadable(_ path: String, _ code: Int32, _ what: String) -> Problem {
        Problem(
            .noFile,
            "\(path) cannot be read: \(String(cString: strerror(code))).",
            hint: "Check the path of the \(what)."
        )
    }
}
