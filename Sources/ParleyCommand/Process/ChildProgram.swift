import Foundation
import Glibc
import ParleyAPI
import Synchronization

/// A child process that outlives a call: a node or a script.
///
/// Foundation's `Process` would not do: it waits for the end of a descriptor that another child may
/// have inherited. So the end of one child would be noticed only at the end of both.
final class ChildProgram: Sendable {
    let pid: pid_t
    /// The exit code after the end, or 128 and the number of the signal.
    private let ending = Mutex<Int32?>(nil)

    /// The source of standard input.
    enum Input: Sendable {
        case nothing
        case descriptor(Int32)
    }

    /// Starts the program whose path is the first word.
    ///
    /// The program gets a process group of its own, which Ctrl-C does not reach. Output is appended
    /// to two files.
    /// - Throws: a `Problem` of the kind `failure` if the program cannot be started.
    init(
        _ words: [String],
        environment: [String: String],
        input: Input = .nothing,
        output: String,
        errors: String,
        failure: Problem.Kind
    ) throws(Problem) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        case .descriptor(let number): posix_spawn_file_actions_adddup2(&actions, number, 0)
        }
        for (number, path) in [(Int32(1), output), (2, errors)] {
            let flags = O_WRONLY | O_CREAT | O_APPEND
            posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in arguments + variables { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else {
            throw Problem(failure, "\(words[0]): \(String(cString: strerror(code)))")
        }
        self.pid = pid
    }

    /// The exit code, nil while the process runs.
    var exitCode: Int32? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            return ending
        }
    }

    var isRunning: Bool { exitCode == nil }

    /// Sends a signal, unless the process has ended.
    func signal(_ number: Int32) {
        guard isRunning else { return }
        kill(pid, number)
    }

    /// Sends a signal to the process and its group, unless the process has ended.
    func signalGroup(_ number: Int32) {
        guard isRunning else { return }
        kill(-pid, number)
    }

    /// Waits until the process has ended, even in a task that was cancelled.
    ///
    /// - Returns: the exit code; nil if `limit` was over before.
    func end(within limit: Duration) async -> Int32? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let exitCode { return exitCode }
            // Another task still sleeps when this task is cancelled.
            await Task { try? await Task.sleep(for: .milliseconds(2)) }.value
        }
        return exitCode
    }
}

extension ChildProgram {
    /// Waits until a node started with `--json` has printed that it is ready.
    ///
    /// - Returns: nil if the process has ended before, or `limit` is over.
    func readyNode(output: URL, within limit: Duration) async throws -> ReadyNode? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline, isRunning {
            let bytes = try Data(contentsOf: output)
            if let end = bytes.firstIndex(of: 0x0A) {
                return try JSON.decode(ReadyNode.self, from: bytes[..<end])
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        return nil
    }
}
