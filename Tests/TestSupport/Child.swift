package import Glibc
import Synchronization

/// A process that a test started; it is killed when the last reference to it goes away.
package final class Child: Sendable {
    /// The source of the process's standard input.
    package enum Input: Sendable {
        case file(String)
        case descriptor(Int32)
    }

    package let pid: pid_t
    /// The status that `waitpid` returned; nil until the process has ended.
    private let status = Mutex<Int32?>(nil)

    /// Starts the program whose path is the first argument.
    ///
    /// The process appends to the files `output` and `errors`, which are created if need be.
    ///
    /// - Throws: `NotStarted`.
    package init(
        _ arguments: [String],
        environment: [String: String],
        input: Input = .file("/dev/null"),
        output: String,
        errors: String
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .file(let path): posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
        case .descriptor(let number): posix_spawn_file_actions_adddup2(&actions, number, 0)
        }
        for (number, path) in [(Int32(1), output), (2, errors)] {
            let flags = O_WRONLY | O_CREAT | O_APPEND
            posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
        }
        // The child inherits only its three standard descriptors.
        // To close a descriptor that is not open is no error here.
        for number in 3..<min(getdtablesize(), 1_024) {
            posix_spawn_file_actions_addclose(&actions, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, which Ctrl-C does not reach, and no signal blocked as it is on the
        // threads of a queue, or ignored as in what a shell runs in the background.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        var ends = sigset_t()
        sigemptyset(&ends)
        for number in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&ends, number) }
        posix_spawnattr_setsigdefault(&attributes, &ends)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
        guard code == 0 else { throw NotStarted(program: arguments[0], code: code) }
        self.pid = pid
    }

    deinit {
        guard exitCode == nil else { return }
        kill(pid, SIGKILL)
        _ = waitForEnd()
    }

    /// The exit code, or 128 plus the number of the signal that ended the process; nil while it
    /// runs.
    package var exitCode: Int32? {
        reap(WNOHANG).map { status in
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    /// The signal that ended the process; nil while it runs, and if it exited.
    package var endingSignal: Int32? {
        reap(WNOHANG).flatMap { status in status & 0x7F == 0 ? nil : status & 0x7F }
    }

    /// Sends a signal, unless the process has ended.
    package func signal(_ number: Int32) {
        guard exitCode == nil else { return }
        kill(pid, number)
    }

    /// Blocks this thread until the process has ended.
    package func waitForEnd() -> Int32 {
        _ = reap(0)
        return exitCode ?? 0
    }

    /// Waits for the end of the process without blocking a thread; if the task is cancelled, it
    /// kills the process.
    package func end() async -> Int32 {
        while true {
            if let exitCode { return exitCode }
            do {
                // It polls: the end of a child wakes nobody who does not block a thread for it.
                try await Task.sleep(for: .milliseconds(5))
            } catch {
                signal(SIGKILL)
                return waitForEnd()
            }
        }
    }

    private func reap(_ options: Int32) -> Int32? {
        status.withLock { status in
            if let status { return status }
            var found: Int32 = 0
            guard waitpid(pid, &found, options) == pid else { return nil }
            status = found
            return found
        }
    }
}

/// A program could not be started.
package struct NotStarted: Error, CustomStringConvertible {
    let program: String
    let code: Int32

    package var description: String { "\(program): \(String(cString: strerror(code)))" }
}
