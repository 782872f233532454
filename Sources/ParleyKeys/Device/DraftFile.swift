import Foundation

/// A file that only its owner can read, and that gets its name when complete.
///
/// The draft lies beside the name, in a separate folder that only the owner may enter. So in a
/// shared directory other users cannot put a link or a log of SQLite in the draft's place, and two
/// processes that write the same file have separate drafts. The next process that makes a draft in
/// the directory removes drafts of killed processes.
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
    /// The path of the draft; `open` makes the file, or the caller after `makeFolder`.
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

    /// Makes the draft with its folder and `bytes`, and syncs the file.
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

    /// Gives the draft its name, replacing another file of that name, and syncs the directory.
    package func replace() throws(Failure) {
        guard rename(path, target) == 0 else { throw .last }
        try syncDirectory()
    }

    /// Gives the draft its name, unless another file has that name, and syncs the directory.
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
