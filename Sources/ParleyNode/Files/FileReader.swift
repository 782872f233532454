import Dispatch
import Glibc
import ParleyLoop

/// A file of which parts are read, on a queue of its own.
package actor FileReader {
    private nonisolated let executor = QueueExecutor(label: "parley.files")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let path: String
    private var file: Descriptor?

    package init(path: String) {
        self.path = path
    }

    /// Does some work on the queue of the file, after all earlier work.
    nonisolated func enqueue(_ work: @escaping @Sendable (isolated FileReader) -> Void) {
        executor.queue.async { self.assumeIsolated(work) }
    }

    /// Opens the file.
    ///
    /// - Returns: its length.
    /// - Throws: the error of the system.
    package func open() throws(FileFailure) -> Int {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw .last }
        file = Descriptor(adopting: number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(code: EINVAL) }
        return Int(status.st_size)
    }

    /// Reads `count` bytes from `offset` on, fewer only at the end of the file.
    ///
    /// - Throws: the error of the system.
    package func read(at offset: Int, count: Int) throws(FileFailure) -> [UInt8] {
        guard let number = file?.number else { throw FileFailure(code: EBADF) }
        var failure: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let start = buffer.baseAddress?.advanced(by: done)
                let got = pread(number, start, count - done, off_t(offset + done))
                if got == 0 { return }
                if got > 0 {
                    done += got
                } else if errno != EINTR {
                    failure = .last
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
