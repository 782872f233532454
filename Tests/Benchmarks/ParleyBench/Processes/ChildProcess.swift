import Foundation
import Glibc
import Synchronization

/// A child process of this program in another role, which reads and writes lines.
final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffered: [UInt8] = []

    /// The children that run, and whether the program ends early.
    private static let all = Mutex<(running: [(process: Process, input: Pipe)], isEnding: Bool)>(
        ([], false)
    )
    /// The seconds that a child has to end what it has started.
    private static let patience = 10.0

    /// Starts this program with those arguments; with a command, as what that command runs.
    init(_ arguments: [String], by command: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command + [try Self.executable()] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        Self.all.withLock { [process, input] all in
            all.running.removeAll { !$0.process.isRunning }
            all.running.append((process, input))
        }
    }

    /// Ends all children that run, because the program is to end early, and waits for them.
    static func endAll() {
        let running = all.withLock { all in
            all.isEnding = true
            return all.running
        }
        // A child whose input was closed before is ending already.
        for child in running { try? child.input.fileHandleForWriting.close() }
        let deadline = ProcessMeter.now + patience
        while running.contains(where: \.process.isRunning), ProcessMeter.now < deadline {
            usleep(10_000)
        }
    }

    var identifier: pid_t { process.processIdentifier }

    func meter() throws(BenchError) -> ProcessMeter {
        try ProcessMeter(identifier)
    }

    /// Waits for the next line that the child prints.
    func line(within seconds: Double = 60) throws(BenchError) -> String {
        let deadline = ProcessMeter.now + seconds
        while true {
            if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffered[..<end], as: UTF8.self)
                buffered.removeSubrange(...end)
                return line
            }
            try fill(until: deadline)
        }
    }

    /// Sends a line and returns the next line of the child.
    func ask(_ question: String, within seconds: Double = 60) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Array((question + "\n").utf8))
        return try line(within: seconds)
    }

    /// Closes the input of the child, so that it ends, and waits for its end.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func fill(until deadline: Double) throws(BenchError) {
        let number = output.fileHandleForReading.fileDescriptor
        var poller = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(max(0, (deadline - ProcessMeter.now) * 1_000))
        guard poll(&poller, 1, milliseconds) > 0 else { throw .timeout("a line of a child") }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(number, &bytes, bytes.count)
        // The handler of a signal, which has ended the children, ends the program.
        while count <= 0, Self.all.withLock(\.isEnding) { pause() }
        guard count > 0 else { throw .system("a child ended; its standard error says why") }
        buffered += bytes[..<count]
    }

    private static func executable() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
