import Dispatch
import Glibc
import ParleyCore
import ParleyKeys
import ParleyLoop

/// A file that is being written and hashed, on a queue of its own.
package actor FileWriter {
    private nonisolated let executor = QueueExecutor(label: "parley.files")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    nonisolated let path: String
    private var file: Descriptor?
    private var hash = SHA256()
    /// The bytes that were written and hashed.
    private(set) var count = 0

    private static let readBytes = 1 << 20

    package init(path: String) {
        self.path = path
    }

    /// Does some work on the queue of the file, after all earlier work.
    nonisolated func enqueue(_ work: @escaping @Sendable (isolated FileWriter) -> Void) {
        executor.queue.async { self.assumeIsolated(work) }
    }

    /// Opens the file, and hashes what is there of it; more than `most` bytes are thrown away.
    ///
    /// - Returns: the bytes that are there.
    func open(keeping most: Int = 0) throws(FileFailure) -> Int {
        let number = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last }
        file = Descriptor(adopting: number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        guard status.st_size <= most else {
            guard ftruncate(number, 0) == 0 else { throw .last }
            return 0
        }
        try hashPresent(number)
        return count
    }

    private func hashPresent(_ number: Int32) throws(FileFailure) {
        var bytes = [UInt8](repeating: 0, count: Self.readBytes)
        while true {
            let got = read(number, &bytes, bytes.count)
            if got == 0 { return }
            guard got > 0 else {
                if errno == EINTR { continue }
                throw .last
            }
            bytes.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            count += got
        }
    }

    /// Appends bytes; after a failure nothing more is written, so that the file has no gap.
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
        guard let number = file?.number else { throw FileFailure(code: EBADF) }
        var done = 0
        while done < bytes.count {
            let written = Glibc.write(
                number,
                bytes.baseAddress?.advanced(by: done),
                bytes.count - done
            )
            guard written >= 0 else {
                let failure = FileFailure.last
                if failure.code == EINTR { continue }
                file = nil
                throw failure
            }
            done += written
        }
        hash.update(bytes)
        count += bytes.count
    }

    /// Appends bytes.
    func write(_ slice: Slice) throws(FileFailure) {
        try slice.withBytes { (span) throws(FileFailure) in
            var failure: FileFailure?
            span.withUnsafeBytes { bytes in
                do throws(FileFailure) { try write(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Brings the file to the disk and closes it.
    ///
    /// - Returns: the hash of the whole file.
    func finish() throws(FileFailure) -> Bytes32 {
        guard let number = file?.number else { throw FileFailure(code: EBADF) }
        guard fsync(number) == 0 else { throw .last }
        file = nil
        return hash.finish()
    }

    /// Gives the file another name, which is on disk when the call returns.
    func rename(to path: String) throws(FileFailure) {
        guard Glibc.rename(self.path, path) == 0 else { throw .last }
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        let directory = Glibc.open(String(parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .last }
        defer { Glibc.close(directory) }
        guard fsync(directory) == 0 else { throw .last }
    }

    /// Closes the file, after all earlier work.
    func close() { file = nil }

    /// Closes the file and removes it.
    func discard() {
        file = nil
        unlink(path)
    }
}
