import Foundation
import Glibc
import Synchronization
import Testing

/// A program that a test started; it is killed when nobody refers to it any more.
final class Child: Sendable {
    /// Where standard input comes from.
    enum Input: Sendable {
        case file(String)
        case descriptor(Int32)
    }

    let pid: pid_t
    /// The exit code, or 128 and the number of the signal, once it has ended.
    private let ending = Mutex<Int32?>(nil)

    /// Starts the program that the first argument names by its path.
    ///
    /// `output` and `errors` are files, made or written on from their ends.
    init(
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
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, which Ctrl-C does not reach, and no signal blocked as it is on the
        // threads of a queue.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
        try #require(code == 0, "\(arguments[0]): \(String(cString: strerror(code)))")
        self.pid = pid
    }

    deinit {
        guard exitCode == nil else { return }
        kill(pid, SIGKILL)
        _ = waitForEnd()
    }

    /// How it ended, nil while it runs.
    var exitCode: Int32? { reap(WNOHANG) }

    /// Sends a signal, unless it has ended.
    func signal(_ number: Int32) {
        guard exitCode == nil else { return }
        kill(pid, number)
    }

    /// Waits on this thread, however long it takes.
    func waitForEnd() -> Int32 { reap(0) ?? 0 }

    private func reap(_ options: Int32) -> Int32? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            guard waitpid(pid, &status, options) == pid else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            return ending
        }
    }
}
