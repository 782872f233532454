import Foundation
import Testing

extension Tag {
    /// Needs a real avahi-daemon.
    @Tag static var avahi: Self
}

/// A bus and an avahi-daemon of one process, made by `Deploy/private-avahi.sh`.
///
/// libdbus reads `DBUS_SYSTEM_BUS_ADDRESS` once per process, and these tests kill what is behind
/// it. So each runs as an exit test, in a process of its own, and a bus that the environment names
/// is left alone.
struct PrivateDaemons: Sendable {
    let directory: String

    /// Whether this machine can run them: root, and the Debian packages.
    static let isPossible =
        geteuid() == 0
        && ["/usr/sbin/avahi-daemon", "/usr/bin/dbus-daemon"]
            .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    static let reason: Comment = "needs root, avahi-daemon and dbus"

    /// Runs `body` with daemons of its own, and ends them.
    static func with(
        started: Bool = true,
        _ body: (PrivateDaemons) async throws -> Void
    ) async throws {
        let daemons = PrivateDaemons(directory: "/tmp/parley-test.\(getpid())")
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(daemons.directory)/bus", 1)
        if started { try daemons.start() }
        try await body(daemons)
        // After a failure they end with this process, as its `--owner` says.
        try daemons.script("stop", daemons.directory)
    }

    /// Starts what is missing; returns when avahi-daemon is running.
    func start() throws {
        try script("start", directory, "--always", "--owner", String(getpid()))
    }

    /// Sends a signal to `avahi` or `bus`; after `SIGKILL` or `SIGTERM` waits for its end.
    func signal(_ name: String, _ number: Int32) async throws {
        let text = try String(contentsOfFile: "\(directory)/\(name).pid", encoding: .utf8)
        let pid = try #require(text.split(separator: " ").first.flatMap { pid_t($0) })
        try #require(kill(pid, number) == 0)
        guard number == SIGKILL || number == SIGTERM else { return }
        try await eventually("end of \(name)") {
            // A zombie that nobody reaps has no arguments.
            let arguments = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline"))
            return arguments?.isEmpty ?? true
        }
    }

    /// Calls a method of avahi-daemon's root object, with arguments as dbus-send takes them.
    func call(_ method: String, _ arguments: String...) throws {
        let command = ["dbus-send --system --print-reply --dest=org.freedesktop.Avahi /", method]
        try shell((command + arguments).joined(separator: " "))
    }

    private func script(_ arguments: String...) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Deploy/private-avahi.sh").standardized.path
        try shell(([path] + arguments).joined(separator: " "))
    }
}

/// Polls until `condition` holds; a failure after `seconds`.
func eventually(
    _ what: String,
    within seconds: Double = 10,
    at location: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        try #require(
            ContinuousClock.now < deadline,
            "no \(what) within \(seconds) s",
            sourceLocation: location
        )
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Descriptors that this process has open.
func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Resident memory of this process in kB.
func residentKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(status.split(separator: " ")[1])) * 4
}

/// Processor time that this process has used.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
