import Foundation
import Glibc

/// Counts the calls by which a process has its files written to the disk.
final class SyncTrace {
    private let process = Process()
    private let file: String

    /// Traces a process and all its threads from now on; notes the calls in `file`.
    ///
    /// - Throws: `system` if there is no strace, or if it may not trace the process.
    init(of process: pid_t, file: String) throws {
        self.file = file
        let errors = Pipe()
        self.process.executableURL = try Broker.executable("strace")
        self.process.arguments =
            "-f -e trace=fsync,fdatasync,sync_file_range,msync -o \(file) -p \(process)"
            .split(separator: " ").map(String.init)
        self.process.standardError = errors
        try self.process.run()
        // The first words say that it is there.
        let words = errors.fileHandleForReading.availableData
        guard String(decoding: words, as: UTF8.self).contains("attached") else {
            throw BenchError.system("strace: " + String(decoding: words, as: UTF8.self))
        }
    }

    /// Ends the trace, and returns the number of calls.
    func end() throws -> Int {
        // Each line is in the file once the call returns, and softer signals may be blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        return lines.count { $0.contains("sync") && !$0.contains("resumed") }
    }
}
