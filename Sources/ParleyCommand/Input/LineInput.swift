import Dispatch
import Foundation
import Glibc
import ParleyAPI

/// The lines of a file or of standard input, read on a queue of its own because reading may block.
///
/// Only one task may read at a time.
actor LineInput {
    private let queue = DispatchQueue(label: "parley.input")
    private let descriptor: Int32
    private var splitter = LineSplitter()
    private var lines: ArraySlice<[UInt8]> = []
    private var hasEnded = false

    /// The limit of a line, in bytes: a picture of 4 MiB in base64 and its message.
    private static let lineBytesMax = 6 << 20

    /// Reads the lines of an open file, which stays open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next line without its line end, nil after the last one.
    ///
    /// - Throws: a `Problem` if the file cannot be read or a line is too long.
    func next() async throws -> [UInt8]? {
        while lines.isEmpty {
            guard !hasEnded else { return nil }
            let bytes = try await read()
            if bytes.isEmpty {
                hasEnded = true
                if let rest = splitter.finish() { lines = [rest] }
            } else {
                lines = splitter.add(bytes)[...]
                guard splitter.restCount <= Self.lineBytesMax else {
                    throw Problem(
                        .tooLarge,
                        "A line of the input has more than \(Self.lineBytesMax) bytes."
                    )
                }
            }
        }
        return lines.popFirst()
    }

    private func read() async throws -> [UInt8] {
        let descriptor = descriptor
        return try await withCheckedThrowingContinuation { done in
            queue.async {
                done.resume(with: Result { try Self.read(descriptor) })
            }
        }
    }

    private static func read(_ descriptor: Int32) throws -> [UInt8] {
        while true {
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                code = got < 0 ? errno : 0
                count = max(0, got)
            }
            if code == 0 { return bytes }
            guard code == EINTR else {
                throw Problem(
                    .unreadableInput,
                    "The input cannot be read: \(String(cString: strerror(code)))."
                )
            }
        }
    }
}
