import Foundation
import TestSupport
import Testing

extension Tag {
    /// Needs a real avahi-daemon.
    @Tag static var avahi: Self
}

/// A private bus and avahi-daemon for one process, started by `Deploy/private-avahi.sh`.
///
/// libdbus reads `DBUS_SYSTEM_BUS_ADDRESS` once per process, and these tests kill the bus behind
/// it. So each test runs as an exit test, in a process of its own, and does not touch a bus that
/// the environment names.
struct PrivateDaemons: Sendable {
    let directory: String

    /// Whether this machine can run the daemons: it needs root and the Debian packages.
    static let isPossible =
        geteuid() == 0
        && ["/usr/sbin/avahi-daemon", "/usr/bin/dbus-daemon"]
            .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    static let reason: Comment = "needs root, avahi-daemon and dbus"

    /// Runs `body` with private daemons, and stops them afterwards.
    static func with(
        started: Bool = true,
        _ body: (PrivateDaemons) async throws -> Void
    ) async throws {
        let files = try TestDirectory()
        defer { withExtendedLifetime(files) {} }
        // The path of a socket is short.
        let daemons = PrivateDaemons(directory: files.path("d"))
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(daemons.directory)/bus", 1)
        if started { try daemons.start() }
        try await body(daemons)
        // After an error the daemons end with this process, because of `--owner`.
        try daemons.script("stop", daemons.directory)
    }

    /// Starts the daemons that are not running; returns when avahi-daemon is running.
    func start() throws {
        try script("start", directory, "--always", "--owner", String(getpid()))
    }

    /// Sends a signal to `avahi` or `bus`; after `SIGKILL` or `SIGTERM` waits until the process has
    /// ended.
    func signal(_ name: String, _ number: Int32) async throws {
        let text = try String(contentsOfFile: "\(directory)/\(name).pid", encoding: .utf8)
        let pid = try #require(text.split(separator: " ").first.flatMap { pid_t($0) })
        try #require(kill(pid, number) == 0)
        guard number == SIGKILL || number == SIGTERM else { return }
        try await eventually("end of \(name)") {
            // A zombie has an empty command line, so it counts as ended.
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

/// The number of open descriptors of this process.
func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Resident memory of this process in kB.
func residentKilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(status.split(separator: " ")[1])) * 4
}

/// The processor time that this process has used.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
