import Foundation

/// A small file in a data directory, beside the store, that is replaced as a whole.
///
/// A crash leaves the old content or the new one. Calls block until the disk answers, so they stay
/// off the queue of a running node.
package struct KeptFile: Sendable {
    /// Why a file cannot be read or written.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let path: String
        /// The `errno` of the call that failed.
        package let code: Int32

        package var description: String { "\(path): \(String(cString: strerror(code)))" }
    }

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The content, or nil if there is no file.
    ///
    /// - Throws: the error of a system call; `EFBIG` for a file of more than `limit` bytes.
    package func read(atMost limit: Int) throws(Failure) -> [UInt8]? {
        // A FIFO in the place of the file must not block the node.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure }
        guard status.st_mode & S_IFMT != S_IFIFO else { throw Failure(path: path, code: EINVAL) }
        guard status.st_size <= limit else { throw Failure(path: path, code: EFBIG) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while count <= limit {
            // A file may grow meanwhile, and files of the kernel have no size.
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
            let more = bytes[count...].withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress, $0.count)
            }
            if more == 0 { break }
            if more > 0 { count += more } else if errno != EINTR { throw failure }
        }
        guard count <= limit else { throw Failure(path: path, code: EFBIG) }
        return Array(bytes.prefix(count))
    }

    /// Replaces the content; it is on disk when the call returns.
    package func replace(with bytes: [UInt8]) throws(Failure) {
        // The data directory is locked, so no other process uses this name.
        let draft = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let file = open(draft, flags, 0o600)
        guard file >= 0 else { throw failure }
        do throws(Failure) {
            defer { close(file) }
            try write(bytes, to: file)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else { throw failure }
        try syncDirectory()
    }

    private func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.write(file, $0.baseAddress, $0.count)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw failure }
        }
        guard fsync(file) == 0 else { throw failure }
    }

    private func syncDirectory() throws(Failure) {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure }
    }

    private var failure: Failure { Failure(path: path, code: errno) }
}
