import Foundation

/// A file that only this user can read and that takes its name when it is complete.
///
/// The draft is in a folder beside the name, with a name of its own, that only this user may enter.
/// So in a directory of several users nobody can put a link or a log of SQLite in its way, and two
/// processes that write the same file do not touch each other's draft. What a process leaves that
/// is killed, the next one removes that makes a draft in that directory.
package struct DraftFile: Sendable {
    /// Why the file cannot be written.
    package struct Failure: Error, CustomStringConvertible {
        /// The `errno` of the call that failed.
        package let code: Int32

        package var description: String { String(cString: strerror(code)) }

        static var last: Failure { Failure(code: errno) }
    }

    private let target: String
    private let folder: DraftFolder
    /// The path of the draft, which is made by `open` or by somebody else after `makeFolder`.
    package let path: String

    /// A draft of the file `target`; nothing is made yet.
    package init(of target: String) {
        self.target = target
        folder = DraftFolder(of: target)
        path = "\(folder.path)/\(DraftFolder.file)"
    }

    /// Makes the folder of the draft.
    package func makeFolder() throws(Failure) {
        try folder.make()
    }

    /// Makes the draft with its folder, empty and open for writing; the caller closes it.
    package func open() throws(Failure) -> Int32 {
        try makeFolder()
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = Foundation.open(path, flags, 0o600)
        guard file >= 0 else { throw .last }
        return file
    }

    /// Makes the draft with its folder and this content, which is on disk afterwards.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let file = try open()
        defer { close(file) }
        // The umask may have removed permissions of the owner.
        guard fchmod(file, 0o600) == 0 else { throw .last }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.write(file, $0.baseAddress, $0.count)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw .last }
        }
        guard fsync(file) == 0 else { throw .last }
    }

    /// Gives the draft its name, and puts that on the disk; another file of the name is replaced.
    package func replace() throws(Failure) {
        guard rename(path, target) == 0 else { throw .last }
        try syncDirectory()
    }

    /// Gives the draft its name, and puts that on the disk, unless a file has that name.
    package func link() throws(Failure) {
        guard Foundation.link(path, target) == 0 || errno == EEXIST else { throw .last }
        try syncDirectory()
    }

    /// Removes the draft, if it is still there, and its folder.
    package func remove() {
        folder.remove()
    }

    private func syncDirectory() throws(Failure) {
        let parent = URL(fileURLWithPath: target).deletingLastPathComponent().path
        let directory = Foundation.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .last }
        defer { close(directory) }
        // Some file systems cannot sync a directory.
        guard fsync(directory) == 0 || errno == EINVAL else { throw .last }
    }
}
