import Foundation
import ParleyAPI
import ParleyCore
import ParleyFaults
import ParleyKeys

/// A host of the lab and the node on it.
actor LabHost {
    nonisolated let host: PlanHost
    /// The number of the host in `lab.sh`, counted from 1.
    nonisolated let number: Int
    nonisolated let directory: URL
    nonisolated let client: ControlClient
    /// The wall clock of its own, nil for that of the machine.
    nonisolated let clock: LabClock?
    private let script: LabScript
    private var process: ChildProgram?
    private(set) var device: DeviceID?
    /// How often the node was started.
    private(set) var starts = 0
    private(set) var wasJoined = false

    /// The time limit for a node to become ready, and to stop.
    private static let patience = Duration.seconds(15)

    /// Makes a host whose node was never started.
    init(
        _ host: PlanHost,
        number: Int,
        script: LabScript,
        directory: URL,
        clock: LabClock?
    ) {
        self.host = host
        self.number = number
        self.script = script
        self.clock = clock
        self.directory = directory.appending(path: host.name)
        client = ControlClient(dataDirectory: directory.appending(path: "\(host.name)/data"))
    }

    nonisolated var data: URL { directory.appending(path: "data") }
    nonisolated var logFile: URL { directory.appendingPathExtension("log") }
    nonisolated var ip: String { "10.77.0.\(number)" }
    nonisolated var address: String { "\(ip):27275" }

    /// The words before a command that runs on the host.
    nonisolated var entering: [String] {
        [script.path, "-p", script.prefix, "exec", "\(number)"] + (clock?.words ?? [])
    }

    var isRunning: Bool { process?.isRunning ?? false }

    /// The node has joined its conversations, or has a copy of such a data directory.
    func joined() { wasJoined = true }

    // MARK: The process

    /// Starts the node and waits until it is ready.
    func start(_ options: [String]) async throws {
        let output = directory.appendingPathExtension("ready")
        // The file may hold the output of an earlier process.
        try Data().write(to: output)
        let process = try ChildProgram(
            entering + [
                LabProgram.ownPath, "node", "--data", data.path, "--json", "--no-web", "--name",
                host.name,
            ] + options,
            environment: LabProgram.environment,
            output: output.path,
            errors: logFile.path,
            failure: .labFailed
        )
        self.process = process
        starts += 1
        guard let ready = try await process.readyNode(output: output, within: Self.patience) else {
            let last = lastLogLines(1, of: logFile).first.map { ": \($0)" } ?? ""
            throw Problem(.planFailed, "The node of \(host.name) did not become ready\(last).")
        }
        device = try DeviceID(parsing: ready.device)
    }

    /// Stops the node with SIGTERM; throws unless its exit code is 0.
    func stop() async throws {
        guard let process else { return }
        process.signal(SIGTERM)
        guard let code = await process.end(within: Self.patience) else {
            throw Problem(.planFailed, "The node of \(host.name) did not stop in time.")
        }
        guard code == 0 else {
            throw Problem(.planFailed, "The node of \(host.name) ended with \(code).")
        }
    }

    /// Kills the node with SIGKILL.
    func crash() async {
        guard let process else { return }
        process.signal(SIGKILL)
        _ = await process.end(within: Self.patience)
    }

    /// Sends the process a signal.
    func signal(_ number: Int32) { process?.signal(number) }

    // MARK: Its files

    /// The logs of the node and of the programs, by what wrote them.
    nonisolated var logs: [(name: String, file: URL)] {
        [(host.name, logFile)]
            + host.programs.map { ("\($0.name) of \(host.name)", log(of: $0)) }
    }

    /// The last lines of a log.
    nonisolated func lastLogLines(_ count: Int, of file: URL) -> [String] {
        // A log that cannot be read is left out; the failure itself is reported in any case.
        guard let bytes = try? Data(contentsOf: file) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").suffix(count).map(String.init)
    }

    func logLines(_ text: String) throws -> [Substring] {
        try String(contentsOf: logFile, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(text) }
    }

    /// Copies the data directory, from or to another path; a running node is suspended in the
    /// meantime.
    func copyData(from source: URL, to target: URL) async throws {
        signal(SIGSTOP)
        defer { signal(SIGCONT) }
        let manager = FileManager.default
        if manager.fileExists(atPath: target.path) { try manager.removeItem(at: target) }
        let scratch = script.scratch
        let words = ["/bin/cp", "-a", source.path, target.path]
        let outcome = try await LabProgram.run(words, scratch: scratch)
        guard outcome.exitCode == 0 else { throw Problem(.labFailed, outcome.errors) }
        let socket = target.appending(path: "control.sock").path
        if manager.fileExists(atPath: socket) { try manager.removeItem(atPath: socket) }
    }

    nonisolated var filler: URL { directory.appending(path: "filler") }

    /// Writes a file until the disk is full.
    func fillDisk() throws {
        let descriptor = open(filler.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Problem(.labFailed, "\(filler.path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        for size in [65_536, 4_096, 512, 1] {
            let block = [UInt8](repeating: 0x78, count: size)
            while write(descriptor, block, size) == size {}
        }
    }

    func freeDisk() throws { try FileManager.default.removeItem(at: filler) }

    /// Whether a file of the data directory contains the ID of a device, as text or as bytes.
    func remembers(_ other: DeviceID) throws -> Bool {
        let text = Data(other.shortText.utf8)
        let bytes = withUnsafeBytes(of: other.hint.bigEndian) { Data($0) }
        for name in try FileManager.default.subpathsOfDirectory(atPath: data.path) {
            let path = data.appending(path: name).path
            let kind = try FileManager.default.attributesOfItem(atPath: path)[.type]
            guard kind as? FileAttributeType == .typeRegular else { continue }
            let file = try Data(contentsOf: URL(filePath: path))
            if file.range(of: text) != nil || file.range(of: bytes) != nil { return true }
        }
        return false
    }
}
